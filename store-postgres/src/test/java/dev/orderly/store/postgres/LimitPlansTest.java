package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobTerms;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.LeaseRules;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.store.postgres.job.PostgresClaims;
import dev.orderly.store.postgres.job.PostgresQueueTable;
import dev.orderly.store.postgres.job.scan.ScanCursors;
import dev.orderly.store.postgres.sql.ServerRuns;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.DatabaseJobIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows that claims read and lock under limits, and that claims of queues without a limit do not. */
class LimitPlansTest {
    private static final QueueName FREE = new QueueName("free");
    private static final QueueName LIMITED = new QueueName("limited");
    private static final NodeId NODE = new NodeId("node");
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final LimitName CRM = new LimitName("crm");
    private static final int MANY = 5_000;

    private final PostgresOptions options = Server.fresh();

    @AfterEach
    void drop() {
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    private static NewJob job(QueueName queue) {
        return new NewJob(queue, null, Priority.NORMAL, null, Payload.text("x"), Map.of(), null, null, null);
    }

    private static void declare(PostgresStore postgres, Limit limit) {
        postgres.jobs().beat(NODE);
        postgres.jobs().upkeep(new UpkeepRequest(Duration.ofSeconds(30), 3, Map.of(), Retention.DEFAULT, 100,
                LeaseRules.DEFAULT, new DeclaredLimits(Map.of(CRM, Declared.anew(limit, NODE)),
                        Map.of(LIMITED, Declared.anew(Optional.of(CRM), NODE)))),
                NOW);
    }

    private static void fill(PostgresStore postgres, Limit limit) {
        declare(postgres, limit);
        for (QueueName queue : List.of(FREE, LIMITED)) {
            postgres.jobs().push(IntStream.range(0, MANY).mapToObj(_ -> job(queue)).toList(), NOW);
        }
    }

    private Connection connection() throws SQLException {
        return Server.session(options);
    }

    private static ClaimedJobs claim(Connection connection, QueueName queue, int most) throws SQLException {
        return new PostgresClaims(new DatabaseJobIds(new Sql(connection, "SELECT salt FROM meta").number()),
                new PostgresQueueTable(new ServerRuns()), new ScanCursors())
                .claim(connection, new ClaimRequest(NODE, List.of(new Demand(queue, most))), NOW);
    }

    /** The rows that this transaction has read so far of a table; of all for a pattern. */
    private static long read(Connection connection, String tables) throws SQLException {
        return new Sql(connection, """
                SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) FROM pg_stat_xact_user_tables
                WHERE schemaname = current_schema() AND relname LIKE ?""").with(tables).number();
    }

    @Test
    void aClaimOfAQueueWithoutALimitReadsNoLimit() throws SQLException {
        try (PostgresStore postgres = PostgresStore.open(options, new Random(7))) {
            fill(postgres, Limit.concurrency(5));
            try (Connection connection = connection()) {
                assertThat(claim(connection, FREE, 20).jobs()).hasSize(20);
                assertThat(read(connection, "flow_limit")).isZero();
                assertThat(claim(connection, LIMITED, 20).jobs()).hasSize(5);
                assertThat(read(connection, "flow_limit")).isPositive();
            }
        }
    }

    /**
     * Pushes many jobs of one key, and jobs of which each is the only one of its key.
     *
     * @param concurrency of each key; 0 for no limit
     */
    private static void fillKeys(PostgresStore postgres, int many, int concurrency) {
        postgres.jobs().beat(NODE);
        if (concurrency > 0) {
            LimitName each = LimitName.ofKeys(LIMITED);
            postgres.jobs().upkeep(new UpkeepRequest(Duration.ofSeconds(30), 3, Map.of(), Retention.DEFAULT, 100,
                    LeaseRules.DEFAULT,
                    new DeclaredLimits(Map.of(each, Declared.anew(Limit.concurrency(concurrency), NODE)), Map.of(),
                            Map.of(LIMITED, Declared.anew(Optional.of(each), NODE)))),
                    NOW);
        }
        for (int from = 0; from < many; from += MANY) {
            postgres.jobs().push(IntStream.range(0, MANY).mapToObj(_ -> keyed("noisy")).toList(), NOW);
        }
        postgres.jobs().push(IntStream.range(0, MANY).mapToObj(n -> keyed("quiet-" + n)).toList(), NOW);
        postgres.jobs().push(IntStream.range(0, MANY).mapToObj(_ -> job(FREE)).toList(), NOW);
    }

    private static NewJob keyed(String key) {
        return job(LIMITED).on(JobTerms.NONE.withKey(key), null);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void aClaimReadsAConstantNumberOfRowsForEachJobBesideManyJobsOfOneKey(int concurrency) throws SQLException {
        try (PostgresStore postgres = PostgresStore.open(options, new Random(7))) {
            fillKeys(postgres, 4 * MANY, concurrency);
            List<ClaimedJob> first = postgres.jobs()
                    .claim(new ClaimRequest(NODE, List.of(new Demand(LIMITED, 40))), NOW).jobs();
            assertThat(first).hasSize(40);
            assertThat(first.stream().filter(job -> "noisy".equals(job.terms().key()))).hasSizeLessThanOrEqualTo(2);
            while (Server.count("SELECT count(*) FROM " + options.schema() + ".flow_wake") > 0) {
                assertThat(postgres.jobs().claim(new ClaimRequest(NODE, List.of(new Demand(LIMITED, 1))), NOW).jobs())
                        .as("a claim makes a thousand new keys known").hasSize(1);
            }
            try (Connection connection = connection()) {
                ClaimedJobs next = claim(connection, LIMITED, 40);
                assertThat(next.jobs()).hasSize(40);
                assertThat(read(connection, "job")).as("rows of jobs for 40 jobs").isLessThan(40 * 20);
                assertThat(read(connection, "flow_key")).as("rows of keys for 40 jobs").isLessThan(40 * 20);
            }
            try (Connection connection = connection()) {
                assertThat(claim(connection, FREE, 20).jobs()).hasSize(20);
                assertThat(read(connection, "flow_%")).as("a queue without keys").isZero();
            }
        }
    }

    @Test
    void aClaimOfAllJobsOfAKeyWritesItsRowOnce() throws SQLException {
        try (PostgresStore postgres = PostgresStore.open(options, new Random(7))) {
            postgres.jobs().beat(NODE);
            for (int round = 0; round < 2; round++) {
                postgres.jobs().push(IntStream.range(0, 20).mapToObj(n -> keyed("key " + n)).toList(), NOW);
                try (Connection connection = connection()) {
                    assertThat(claim(connection, LIMITED, 20).jobs()).hasSize(20);
                    assertThat(new Sql(connection, """
                            SELECT n_tup_upd FROM pg_stat_xact_user_tables
                            WHERE schemaname = current_schema() AND relname = 'flow_key'""").number())
                            .as("rows of 20 keys").isEqualTo(20);
                    connection.commit();
                }
            }
        }
    }

    @Test
    void aKeyThatWasWokenWhileTheLimitWasLockedIsForTheNextClaim() throws SQLException {
        try (PostgresStore postgres = PostgresStore.open(options, new Random(7))) {
            declare(postgres, Limit.concurrency(5));
            postgres.jobs().push(List.of(keyed("a")), NOW);
            try (Connection holder = connection()) {
                new Sql(holder, "SELECT id FROM flow_limit FOR UPDATE").number();
                assertThat(claimKeys(postgres)).isEmpty();
                holder.rollback();
            }
            assertThat(claimKeys(postgres)).containsExactly("a");
        }
    }

    @Test
    void anOpenTransactionThatPushesIntoAKeyHoldsUpNeitherItsJobsNorItsPushes() throws SQLException {
        try (PostgresStore postgres = PostgresStore.open(options, new Random(7));
                Connection application = connection()) {
            postgres.jobs().beat(NODE);
            postgres.jobs().push(List.of(keyed("known")), NOW);
            assertThat(claimKeys(postgres)).containsExactly("known");
            for (String key : List.of("known", "new")) {
                postgres.transactionalJobs().push(new CallersTransaction.OnConnection(application),
                        List.of(keyed(key)), NOW, null);
            }
            postgres.jobs().push(List.of(keyed("known"), keyed("new")), NOW);
            assertThat(claimKeys(postgres)).containsExactlyInAnyOrder("known", "new");
            assertThat(claimKeys(postgres)).isEmpty();
            application.commit();
            assertThat(claimKeys(postgres)).as("after the commit").containsExactlyInAnyOrder("known", "new");
        }
    }

    private static List<String> claimKeys(PostgresStore postgres) {
        return postgres.jobs().claim(new ClaimRequest(NODE, List.of(new Demand(LIMITED, 9))), NOW).jobs().stream()
                .map(job -> String.valueOf(job.terms().key())).toList();
    }

    @Test
    void aClaimUnderAFullLimitReadsNoMoreThanTheJobsThatRunAndLocksNothing() throws SQLException {
        try (PostgresStore postgres = PostgresStore.open(options, new Random(7))) {
            fill(postgres, Limit.concurrency(20));
            List<ClaimedJob> running = postgres.jobs()
                    .claim(new ClaimRequest(NODE, List.of(new Demand(LIMITED, 50))), NOW).jobs();
            assertThat(running).hasSize(20);
            try (Connection connection = connection()) {
                ClaimedJobs none = claim(connection, LIMITED, 50);
                assertThat(none.jobs()).isEmpty();
                assertThat(none.limited()).containsExactly(LIMITED);
                assertThat(read(connection, "%")).as("rows that a claim under a full limit reads").isLessThan(100);
                assertThat(new Sql(connection, "SELECT count(*) FROM pg_locks WHERE pid = pg_backend_pid()"
                        + " AND locktype = 'transactionid' AND granted").number())
                        .as("a transaction that writes nothing has no number").isZero();
            }
        }
    }

    @Test
    void aClaimThatFindsTheLimitLockedTakesNothingAndDoesNotWait() throws SQLException {
        try (PostgresStore postgres = PostgresStore.open(options, new Random(7))) {
            fill(postgres, Limit.concurrency(5));
            try (Connection holder = connection()) {
                new Sql(holder, "SELECT id FROM flow_limit FOR UPDATE").number();
                ClaimedJobs none = postgres.jobs().claim(
                        new ClaimRequest(NODE, List.of(new Demand(LIMITED, 5), new Demand(FREE, 5))), NOW);
                assertThat(none.jobs()).hasSize(5).allMatch(job -> job.queue().equals(FREE));
                assertThat(none.limited()).containsExactly(LIMITED);
                holder.rollback();
            }
            assertThat(postgres.jobs().claim(new ClaimRequest(NODE, List.of(new Demand(LIMITED, 9))), NOW).jobs())
                    .hasSize(5);
        }
    }

    @Test
    void aPushIsHandedOffWithoutALimitOnly() throws SQLException {
        try (PostgresStore postgres = PostgresStore.open(options, new Random(7))) {
            fill(postgres, Limit.concurrency(5));
            QueueName empty = new QueueName("empty");
            postgres.jobs().claim(new ClaimRequest(NODE, List.of(new Demand(empty, 1))), NOW);
            assertThat(postgres.jobs().push(List.of(job(empty).claimedBy(NODE)), NOW).getFirst())
                    .isInstanceOfSatisfying(PushResult.Accepted.class,
                            accepted -> assertThat(accepted.handedOff()).isTrue());
        }
    }
}
