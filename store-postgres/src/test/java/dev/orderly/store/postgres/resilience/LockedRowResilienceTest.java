package dev.orderly.store.postgres.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ClaimedJobs;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.UpkeepReport;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.postgres.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** While another session holds a row, the store does all work that does not need the row. */
class LockedRowResilienceTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final NodeId NODE = new NodeId("node");
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);

    private final PostgresOptions options = Server.fresh();
    private final PostgresStore postgres = PostgresStore.open(options);
    private final JobStore jobs = postgres.jobs();

    @AfterEach
    void close() {
        postgres.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void upkeepGivesBackTheJobsOfADeadNodeExceptLockedJobs() throws SQLException {
        jobs.beat(NODE);
        push("g", "h", "i", null, null);
        List<ClaimedJob> claimed = claim();
        try (Connection other = holding("SELECT 1 FROM lane WHERE name = 'g' FOR UPDATE");
                Connection another = holding("SELECT 1 FROM job WHERE grp IS NULL ORDER BY seq LIMIT 1 FOR UPDATE")) {
            assertThat(upkeep().givenBack()).hasSize(3);
            other.rollback();
            another.rollback();
        }
        assertThat(upkeep().givenBack()).hasSize(claimed.size() - 3);
    }

    @Test
    void upkeepDeclaresNodesDeadExceptLockedNodes() throws SQLException {
        NodeId second = new NodeId("second");
        jobs.beat(NODE);
        jobs.beat(second);
        push("g", "h");
        claim(NODE, 1);
        claim(second, 1);
        try (Connection other = holding("SELECT 1 FROM node WHERE name = 'node' FOR SHARE")) {
            assertThat(upkeep().givenBack()).hasSize(1);
            other.rollback();
        }
        assertThat(upkeep().givenBack()).hasSize(1);
    }

    @Test
    void settlementsOfUnlockedJobsAreAcceptedAndTheOthersAreToBeRepeated() throws SQLException {
        jobs.beat(NODE);
        push("g", "h", null, null);
        List<ClaimedJob> claimed = claim();
        AttemptId g = of(claimed, "g");
        AttemptId h = of(claimed, "h");
        List<AttemptId> mail = claimed.stream().map(ClaimedJob::attempt).filter(each -> each.queue().equals(MAIL))
                .toList();
        List<Settlement> all = Stream.of(g, h, mail.getFirst(), mail.getLast())
                .map(each -> new Settlement(NODE, each, new AttemptOutcome.Done(null))).toList();
        try (Connection other = holding("SELECT 1 FROM lane WHERE name = 'g' FOR UPDATE");
                Connection another = holding(
                        "SELECT 1 FROM job WHERE seq = " + mail.getFirst().id().sequence() + " FOR UPDATE")) {
            assertThat(jobs.settle(all, NOW)).containsExactly(SettleResult.BLOCKED, SettleResult.ACCEPTED,
                    SettleResult.BLOCKED, SettleResult.ACCEPTED);
            other.rollback();
            another.rollback();
        }
        assertThat(jobs.settle(all, NOW)).containsExactly(SettleResult.ACCEPTED, SettleResult.LEASE_LOST,
                SettleResult.ACCEPTED, SettleResult.LEASE_LOST);
    }

    @Test
    void progressOfALockedJobDoesNotWait() throws SQLException {
        jobs.beat(NODE);
        push((String) null);
        AttemptId attempt = claim().getFirst().attempt();
        try (Connection other = holding("SELECT 1 FROM job FOR UPDATE")) {
            assertThat(jobs.progress(List.of(new ProgressReport(NODE, attempt, new JobProgress(1, 2, ""))), NOW))
                    .containsExactly(SettleResult.BLOCKED);
            other.rollback();
        }
    }

    @Test
    void aStoppingNodeGivesBackItsUnlockedJobs() throws SQLException {
        jobs.beat(NODE);
        push("g", "h", null);
        claim();
        try (Connection other = holding("SELECT 1 FROM lane WHERE name = 'g' FOR UPDATE")) {
            assertThat(jobs.release(NODE, Set.of(), NOW)).isEqualTo(2);
            other.rollback();
        }
        assertThat(jobs.release(NODE, Set.of(), NOW)).isEqualTo(1);
    }

    @Test
    void deadLettersOfUnlockedGroupsAreRedriven() throws SQLException {
        jobs.beat(NODE);
        push("g", "h");
        jobs.settle(claim().stream().map(each -> new Settlement(NODE, each.attempt(),
                new AttemptOutcome.Dead(new JobFailure("x", ""), true))).toList(), NOW);
        try (Connection other = holding("SELECT 1 FROM lane WHERE name = 'g' FOR UPDATE")) {
            assertThat(jobs.redriveAll(ORDERS, 10, NOW)).isEqualTo(1);
            assertThatThrownBy(() -> jobs.redriveAll(ORDERS, 10, NOW)).hasMessageContaining("group g");
            other.rollback();
        }
        assertThat(jobs.redriveAll(ORDERS, 10, NOW)).isEqualTo(1);
    }

    @Test
    void aBeatDoesNotWaitForAClaimOfItsNode() throws Exception {
        jobs.beat(NODE);
        push((String) null);
        String schema = options.schema();
        Server.run("CREATE FUNCTION " + schema + ".slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " PERFORM pg_sleep(60); RETURN NULL; END $$");
        Server.run("CREATE TRIGGER slow AFTER UPDATE ON " + schema + ".job EXECUTE FUNCTION " + schema + ".slow()");
        CompletableFuture<List<ClaimedJob>> claiming = CompletableFuture.supplyAsync(this::claim,
                Thread::startVirtualThread);
        await().atMost(Duration.ofSeconds(30)).until(() -> sleeping("count(*)") == 1);
        assertThat(jobs.beat(NODE).alive()).isTrue();
        assertThat(sleeping("count(pg_cancel_backend(pid))")).isEqualTo(1);
        assertThatThrownBy(() -> claiming.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(StoreException.class);
    }

    private long sleeping(String what) {
        return Server.count("SELECT " + what + " FROM pg_stat_activity WHERE application_name = '" + options.schema()
                + "' AND wait_event = 'PgSleep'");
    }

    @Test
    void theNextDueMomentOfALockedDueGroupIsInTheFuture() throws SQLException {
        jobs.beat(NODE);
        push("g");
        jobs.settle(List.of(new Settlement(NODE, claim().getFirst().attempt(),
                new AttemptOutcome.Retry(NOW.plusSeconds(10), new JobFailure("x", "")))), NOW);
        try (Connection other = holding("SELECT 1 FROM lane FOR UPDATE")) {
            ClaimedJobs claimed = jobs.claim(new ClaimRequest(NODE, List.of(new Demand(ORDERS, 10))), LATER);
            assertThat(claimed.jobs()).isEmpty();
            assertThat(claimed.nextDue()).isAfter(LATER);
            other.rollback();
        }
        assertThat(jobs.claim(new ClaimRequest(NODE, List.of(new Demand(ORDERS, 10))), LATER).jobs()).hasSize(1);
    }

    @Test
    void anErrorWhileANumberIsDrawnBlocksNoPush() throws Exception {
        push((String) null);
        try (Connection own = connection();
                Statement drawing = own.createStatement();
                Connection altering = holding("ALTER SEQUENCE job_number CACHE 1")) {
            CompletableFuture<SQLException> cancelled = new CompletableFuture<>();
            Thread.startVirtualThread(() -> {
                try {
                    drawing.execute("SELECT draw(1, 0)");
                } catch (SQLException e) {
                    cancelled.complete(e);
                }
            });
            await().until(() -> Server.count("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                    + " AND query LIKE 'SELECT draw(1, 0)%'") == 1);
            drawing.cancel();
            assertThat(cancelled.get(30, TimeUnit.SECONDS).getSQLState()).isEqualTo("57014");
            own.rollback();
            altering.rollback();
            assertThat(push((String) null)).hasSize(1);
        }
    }

    @Test
    void lanesThatContradictTheirJobsAreRepairedAndCounted() throws SQLException {
        jobs.beat(NODE);
        List<JobId> ids = push("gone", "held", "halted", "late", "fine").stream().map(PushResult::id).toList();
        assertThat(upkeep(Duration.ofSeconds(30)).repaired()).isZero();
        jobs.beat(NODE);
        try (Connection other = holding("DELETE FROM lane WHERE name = 'gone'")) {
            try (Statement statement = other.createStatement()) {
                statement.execute("UPDATE lane SET state = 1 WHERE name = 'held'");
                statement.execute("UPDATE lane SET state = 2 WHERE name = 'halted'");
                statement.execute("UPDATE lane SET state = 3, ready_at = 99999999999999 WHERE name = 'late'");
                statement.execute("INSERT INTO lane(queue, name, turn, ready_at, state) VALUES(1, 'empty', 1, 0, 1)");
            }
            other.commit();
        }
        assertThat(upkeep(Duration.ofSeconds(30)).repaired()).isEqualTo(5);
        assertThat(upkeep(Duration.ofSeconds(30)).repaired()).isZero();
        assertThat(claim().stream().map(ClaimedJob::id)).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(upkeep(Duration.ofSeconds(30)).repaired()).isZero();
        assertThat(Server.count("SELECT count(*) FROM " + options.schema() + ".lane")).isEqualTo(5);
        assertThat(postgres.jobViews().find(ids.getFirst()).orElseThrow().state()).isEqualTo(JobState.RUNNING);
    }

    /** Upkeep that declares every node dead. */
    private UpkeepReport upkeep() {
        return upkeep(Duration.ofSeconds(-1));
    }

    private UpkeepReport upkeep(Duration deadAfter) {
        return jobs.upkeep(new UpkeepRequest(deadAfter, 3, Map.of(), UpkeepRequest.Retention.DEFAULT, 100), LATER);
    }

    /** Pushes a job for each group, into the standard queue for each null. */
    private List<PushResult> push(@Nullable String... groups) {
        return jobs.push(Stream.of(groups).map(group -> new NewJob(group == null ? MAIL : ORDERS, group,
                Priority.NORMAL, null, Payload.text("a"), Map.of(), null, null, null)).toList(), NOW);
    }

    private List<ClaimedJob> claim() {
        return claim(NODE, 100);
    }

    private List<ClaimedJob> claim(NodeId node, int lines) {
        return jobs.claim(new ClaimRequest(node, List.of(new Demand(MAIL, lines), new Demand(ORDERS, lines))), NOW)
                .jobs();
    }

    private static AttemptId of(List<ClaimedJob> claimed, String group) {
        return claimed.stream().filter(each -> group.equals(each.group())).findFirst().orElseThrow().attempt();
    }

    /** A session that ran this statement and has not committed. */
    private Connection holding(String sql) throws SQLException {
        Connection connection = connection();
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        return connection;
    }

    private Connection connection() throws SQLException {
        Connection connection = DriverManager.getConnection(options.url().replaceAll("[?&]ApplicationName=[^&]*", "")
                + (options.url().contains("?") ? "&" : "?") + "currentSchema=" + options.schema());
        connection.setAutoCommit(false);
        return connection;
    }
}
