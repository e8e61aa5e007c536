package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.CancelResult;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobTerms;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.DeclaredLimits;
import dev.orderly.job.store.JobStore.SetResult;
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
import dev.orderly.testkit.ManualTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Keys whose rows, or whose moments, somebody else holds. */
class KeyLocksTest {
    private static final QueueName EXPORTS = new QueueName("exports");
    private static final NodeId NODE = new NodeId("node");
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private final PostgresOptions options = Server.fresh();
    private final ManualTime clock = new ManualTime(NOW);
    private final PostgresStore postgres = PostgresStore.open(options, new Random(7), clock);

    @AfterEach
    void drop() {
        postgres.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    private static NewJob of(String key) {
        return new NewJob(EXPORTS, null, Priority.NORMAL, null, Payload.text(key), Map.of(), null, null, null)
                .on(JobTerms.NONE.withKey(key), null);
    }

    /** A connection whose statements fail when they wait for a lock. */
    private Connection connection() throws SQLException {
        return Server.session(options, "SET lock_timeout = '2s'", "SET idle_in_transaction_session_timeout = 0");
    }

    private static int claim(Connection connection) throws SQLException {
        return new PostgresClaims(new DatabaseJobIds(new Sql(connection, "SELECT salt FROM meta").number()),
                new PostgresQueueTable(new ServerRuns()), new ScanCursors())
                .claim(connection, new ClaimRequest(NODE, List.of(new Demand(EXPORTS, 10))), NOW).jobs().size();
    }

    private int claim(Instant at) {
        return postgres.jobs().claim(new ClaimRequest(NODE, List.of(new Demand(EXPORTS, 10))), at).jobs().size();
    }

    private void push(Connection transaction, String key) {
        postgres.transactionalJobs().push(new CallersTransaction.OnConnection(transaction), List.of(of(key)), NOW,
                null);
    }

    @Test
    void theFirstKeyOfAQueueInAnOpenTransactionHoldsUpNoOtherPush() throws SQLException {
        try (Connection first = connection(); Connection second = connection()) {
            push(first, "a");
            push(second, "b");
            second.commit();
            postgres.jobs().beat(NODE);
            assertThat(claim(NOW)).isOne();
            first.commit();
            assertThat(claim(NOW)).isOne();
        }
    }

    @Test
    void aJobOfAnOpenTransactionStartsAfterItsQueueWasForgottenWithThePauseOfItsKey() throws SQLException {
        KeySettings paused = KeySettings.NONE.withPaused(true).changed("ann", NOW);
        List<PushResult> before = postgres.jobs().push(List.of(of("a")), NOW);
        assertThat(postgres.jobs().set(EXPORTS, "a", KeySettings.NONE, paused)).isEqualTo(SetResult.SET);
        postgres.jobs().beat(NODE);
        assertThat(claim(NOW)).isZero();
        assertThat(postgres.jobs().cancel(before.getFirst().id(), NOW)).isEqualTo(CancelResult.CANCELLED);
        postgres.jobs().leave(NODE, NOW);
        try (Connection transaction = connection()) {
            push(transaction, "a");
            assertThat(postgres.jobs().forget(EXPORTS)).isEqualTo(new ForgetQueueResult.Forgotten(EXPORTS));
            transaction.commit();
        }
        postgres.jobs().beat(NODE);
        assertThat(claim(NOW)).as("nothing is paused any more").isOne();
    }

    @Test
    void aClaimDoesNotWaitForTheKeysOfAnother() throws SQLException {
        postgres.jobs().beat(NODE);
        postgres.jobs().push(List.of(of("a"), of("b")), NOW);
        try (Connection first = connection(); Connection second = connection()) {
            assertThat(claim(first)).isEqualTo(2);
            assertThat(claim(second)).as("while the first is open").isZero();
            postgres.jobs().push(List.of(of("a"), of("c")), NOW);
            assertThat(claim(second)).isOne();
            second.commit();
            first.commit();
        }
        assertThat(claim(NOW)).as("the second job of a").isOne();
    }

    @Test
    void aClockThatWasAheadKeepsNoKeyAtRest() {
        LimitName each = LimitName.ofKeys(EXPORTS);
        postgres.jobs().beat(NODE);
        postgres.jobs().upkeep(new UpkeepRequest(Duration.ofSeconds(30), 3, Map.of(), Retention.DEFAULT, 100,
                LeaseRules.DEFAULT,
                new DeclaredLimits(Map.of(each, Declared.anew(Limit.of(1, Duration.ofSeconds(10)), NODE)), Map.of(),
                        Map.of(EXPORTS, Declared.anew(Optional.of(each), NODE)))),
                NOW);
        postgres.jobs().push(List.of(of("a"), of("a"), of("a")), NOW);
        clock.jump(Duration.ofDays(1));
        postgres.jobs().beat(NODE);
        assertThat(claim(clock.now())).isOne();
        clock.jump(Duration.ofDays(-1));
        postgres.jobs().beat(NODE);
        assertThat(claim(clock.now())).as("after the clock was set right").isOne();
        assertThat(claim(clock.now())).as("within the period").isZero();
    }
}
