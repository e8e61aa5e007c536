package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobTerms;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SetResult;
import dev.orderly.job.store.NewJob;
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
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims beside as many paused keys and groups as a queue may have. */
class PausedKeysTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final NodeId NODE = new NodeId("node");
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final int MANY = KeySettings.MOST;
    private static final int CALL = 5_000;

    private final PostgresOptions options = Server.fresh();

    @AfterEach
    void drop() {
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    private static NewJob job(QueueName queue, String name) {
        NewJob job = new NewJob(queue, queue.isFifo() ? name : null, Priority.NORMAL, null, Payload.text(name),
                Map.of(), null, null, null);
        return queue.isFifo() ? job : job.on(JobTerms.NONE.withKey(name), null);
    }

    private static void push(PostgresStore postgres, QueueName queue, String name, int jobs) {
        for (int from = 0; from < jobs; from += CALL) {
            int first = from;
            postgres.jobs().push(IntStream.range(first, Math.min(jobs, first + CALL))
                    .mapToObj(n -> job(queue, name + n)).toList(), NOW);
        }
    }

    /** Pauses the keys or groups of which jobs wait by now. */
    private void pauseAll(QueueName queue) {
        Server.run("INSERT INTO " + options.schema() + ".key_setting(queue, name, paused, set_by, set_at) SELECT id,"
                + " 'stopped-' || number, true, 'ann', 0 FROM " + options.schema() + ".queue, generate_series(0, "
                + (MANY - 1) + ") AS number WHERE queue.name = '" + queue + "'");
    }

    private static List<String> claim(PostgresStore postgres, QueueName queue, int most) {
        return postgres.jobs().claim(new ClaimRequest(NODE, List.of(new Demand(queue, most, 1,
                Map.of("", Duration.ZERO)))), NOW).jobs().stream().map(ClaimedJob::payload).map(Payload::asText)
                .toList();
    }

    private Connection connection() throws SQLException {
        return Server.session(options);
    }

    /** The rows that a claim of one job reads of groups, keys and settings. */
    private long readByAClaim(QueueName queue, String body) throws SQLException {
        try (Connection connection = connection()) {
            assertThat(new PostgresClaims(new DatabaseJobIds(new Sql(connection, "SELECT salt FROM meta").number()),
                    new PostgresQueueTable(new ServerRuns()), new ScanCursors()).claim(connection,
                            new ClaimRequest(NODE, List.of(new Demand(queue, 1, 1))), NOW)
                    .jobs())
                    .extracting(job -> job.payload().asText()).containsExactly(body);
            long read = new Sql(connection, """
                    SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) FROM pg_stat_xact_user_tables
                    WHERE schemaname = current_schema() AND relname IN ('lane', 'flow_key', 'key_setting', 'job')""")
                    .number();
            connection.rollback(); // before the next claim, which waits for no lock
            return read;
        }
    }

    @Test
    void claimsOfOtherGroupsAndKeysGoOnBesideTenThousandPausedOnes() throws SQLException {
        try (PostgresStore postgres = PostgresStore.open(options, new Random(7))) {
            postgres.jobs().beat(NODE);
            for (QueueName queue : List.of(ORDERS, MAIL)) {
                push(postgres, queue, "stopped-", MANY);
                pauseAll(queue);
                push(postgres, queue, "going-", 40);
                List<String> got = IntStream.range(0, 40).boxed().flatMap(_ -> claim(postgres, queue, 5).stream())
                        .toList();
                assertThat(got).hasSize(40).allMatch(body -> body.startsWith("going-")).doesNotHaveDuplicates();
                String table = queue.isFifo() ? "lane" : "flow_key";
                assertThat(Server.count("SELECT count(*) FROM " + options.schema() + "." + table + " WHERE state = "
                        + (queue.isFifo() ? 4 : -1))).as("paused for the claims of %s", queue).isEqualTo(MANY);
                push(postgres, queue, "later-", 1);
                assertThat(readByAClaim(queue, "later-0")).as("rows read by a claim of %s", queue).isLessThan(60);
                assertThat(claim(postgres, queue, 5)).containsExactly("later-0");
                assertThat(postgres.jobs().set(queue, "stopped-7",
                        Objects.requireNonNull(postgres.jobViews().keys(queue, "stopped-7", 1).getFirst().settings()),
                        KeySettings.NONE)).isEqualTo(SetResult.SET);
                assertThat(claim(postgres, queue, 5)).containsExactly("stopped-7");
            }
        }
    }
}
