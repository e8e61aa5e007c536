package dev.orderly.store.postgres.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.postgres.Server;
import dev.orderly.store.postgres.job.scan.ScanCursors;
import dev.orderly.store.postgres.job.scan.TallyBound;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.ServerRuns;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Index entries that statements read while an old snapshot, such as that of a report, keeps the entries of all jobs
 * that have ended since.
 */
@Tag("slow")
class HeldSnapshotTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final NodeId NODE = new NodeId("node");
    private static final int ENDED = 30_000;
    /** Bound on the entries that a call about a few jobs reads. */
    private static final int FEW = 500;
    /** Bound on the blocks that a read of the counts reads; the rows of {@link #ENDED} changes take more. */
    private static final int BLOCKS = 100;

    private final PostgresOptions options = Server.fresh();
    private final PostgresStore store = PostgresStore.open(options);
    private final PostgresQueueTable queues = new PostgresQueueTable(new ServerRuns());
    private ScanCursors cursors = new ScanCursors();
    private @Nullable Connection report;
    private DatabaseJobIds ids = new DatabaseJobIds(0);

    @BeforeEach
    void hold() throws SQLException {
        store.jobs().push(List.of(job(MAIL, null), job(ORDERS, "g")), Time.system().now());
        store.jobs().beat(NODE);
        Connection held = DriverManager.getConnection(options.url());
        report = held;
        held.setAutoCommit(false);
        held.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        new Sql(held, "SELECT count(*) FROM pg_class").number();
        try (Connection connection = connection()) {
            ids = new DatabaseJobIds(new Sql(connection, "SELECT salt FROM meta").number());
            claim(connection, MAIL);
            claim(connection, ORDERS);
            connection.commit();
        }
    }

    @AfterEach
    void drop() throws SQLException {
        if (report != null) {
            report.close();
        }
        store.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void anEmptyQueueIsScannedOnce() throws SQLException {
        end("state = 0, ready_at = 0", "state = 2");
        assertOneWalk(MAIL);
    }

    @Test
    void delayedJobsThatAreGoneAreScannedOnce() throws SQLException {
        end("state = 1, ready_at = " + Time.system().now().minusSeconds(60).toEpochMilli() + " + seq % 1000",
                "state = 2");
        assertOneWalk(MAIL);
    }

    @Test
    void groupsThatAreGoneAreScannedOnce() throws SQLException {
        endLanes(0);
        endLanes(3);
        cursors = new ScanCursors();
        assertOneWalk(ORDERS);
    }

    @Test
    void aJobThatIsGivenBackIsFoundWithoutAWalk() throws SQLException {
        try (Connection connection = connection()) {
            PostgresPushes.own(ids, queues, cursors).writeAtOnce(connection,
                    new PostgresPushes.PushCall(List.of(job(MAIL, null)), Time.system().now()), null);
            ClaimedJob old = claim(connection, MAIL).getFirst();
            connection.commit();
            end("state = 0, ready_at = 0", "state = 2");
            claim(connection, MAIL);
            connection.commit();
            analyze();
            // delayed, and due by now
            Server.run("UPDATE " + options.schema() + ".job SET state = 1, ready_at = "
                    + Time.system().now().minusMillis(50).toEpochMilli() + " WHERE seq = " + old.sequence());
            long before = entries(connection);
            assertThat(claim(connection, MAIL)).singleElement()
                    .satisfies(job -> assertThat(job.sequence()).isEqualTo(old.sequence()));
            assertThat(entries(connection) - before).isLessThan(FEW);
        }
    }

    @Test
    void anEndedJobIsFoundWithoutAWalk() throws SQLException {
        end("state = 0, ready_at = 0", "state = 2");
        endLanes(0);
        Server.run("DELETE FROM " + options.schema() + ".job", "DELETE FROM " + options.schema() + ".lane");
        cursors = new ScanCursors();
        try (Connection connection = connection()) {
            claim(connection, MAIL);
            claim(connection, ORDERS);
            connection.commit();
            analyze();
            for (QueueName queue : List.of(MAIL, ORDERS)) {
                long before = entries(connection);
                PostgresPushes.own(ids, queues, cursors).writeAtOnce(connection, new PostgresPushes.PushCall(
                        List.of(job(queue, queue.isFifo() ? "new" : null)), Time.system().now()), null);
                assertThat(entries(connection) - before).as("push to %s", queue).isLessThan(FEW);
                connection.commit();
                before = entries(connection);
                ClaimedJob job = claim(connection, queue).getFirst();
                assertThat(entries(connection) - before).as("claim of %s", queue).isLessThan(FEW);
                connection.commit();
                before = entries(connection);
                assertThat(new PostgresSettlements(ids).settle(connection,
                        List.of(new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))),
                        Time.system().now(),
                        LockPatience.BRIEF)).containsExactly(SettleResult.ACCEPTED);
                assertThat(entries(connection) - before).as("settlement of %s", queue).isLessThan(FEW);
                connection.commit();
            }
        }
    }

    @Test
    void countsPassTheRowsThatWereFoldedOnce() throws SQLException {
        Server.run("INSERT INTO " + options.schema() + ".tally SELECT 1, 0, 1 FROM generate_series(1, " + ENDED + ")");
        TallyBound bound = new TallyBound(Time.system());
        try (Connection connection = connection()) {
            JobCounts.fold(connection, bound);
            connection.commit();
            long before = blocks(connection);
            bound.look(connection);
            assertThat(blocks(connection) - before).as("the read that passes them").isGreaterThan(BLOCKS);
            connection.commit();
            before = blocks(connection);
            bound.look(connection);
            QueueView mail = JobCounts.views(connection, bound, cursors).getFirst();
            assertThat(blocks(connection) - before).as("blocks of counts").isLessThan(BLOCKS);
            assertThat(mail.waiting()).isEqualTo(ENDED);
            connection.commit();
            before = blocks(connection);
            JobCounts.fold(connection, bound);
            assertThat(blocks(connection) - before).as("blocks of a fold").isLessThan(BLOCKS);
        }
    }

    @Test
    void countsSeeATransactionThatHadNotEndedWhenTheBoundMoved() throws SQLException {
        TallyBound bound = new TallyBound(Time.system());
        try (Connection slow = connection(); Connection connection = connection()) {
            new Sql(slow, "INSERT INTO tally VALUES(1, 1, 5)").update();
            Server.run("INSERT INTO " + options.schema() + ".tally VALUES(1, 1, 2)");
            for (int round = 0; round < 2; round++) {
                JobCounts.fold(connection, bound);
                connection.commit();
                bound.look(connection);
                connection.commit();
            }
            slow.commit();
            assertThat(JobCounts.views(connection, bound, cursors).getFirst().delayed()).isEqualTo(7);
            JobCounts.fold(connection, bound);
            bound.look(connection);
            assertThat(JobCounts.views(connection, bound, cursors).getFirst().delayed()).isEqualTo(7);
        }
    }

    @Test
    void aBeatReadsNoJobThatItsNodeHasEnded() throws SQLException {
        end("node = 1", "node = 1, progress = 'x'");
        analyze();
        try (Connection connection = connection()) {
            long before = entries(connection);
            new Sql(connection, "SELECT alive FROM job_heartbeat(?, NULL, 0, 0, ?)").with(NODE.value()).texts(List.of())
                    .list(row -> true);
            assertThat(entries(connection) - before).isLessThan(FEW);
        }
    }

    @Test
    void whatUpkeepHasForgottenIsPassedOnce() throws SQLException {
        String schema = options.schema();
        Server.run("INSERT INTO " + schema + ".ended(seq, ended_at, queue, attempt, failures, state, priority)"
                + " SELECT n, n, 1, 1, 0, 0, 3 FROM generate_series(1, " + ENDED + ") AS n",
                "INSERT INTO " + schema
                        + ".recent(kind, key, until, seq, fingerprint) SELECT n % 2, gen_random_uuid(), n, n,"
                        + " gen_random_uuid() FROM generate_series(1, " + ENDED + ") AS n",
                "UPDATE " + schema + ".node SET dead = true");
        end("node = 1", "node = 1, progress = 'x'");
        UpkeepRequest request = new UpkeepRequest(Duration.ofSeconds(30), 3, Map.of(),
                new Retention(Duration.ofHours(1), 100, Duration.ofDays(1)), 4 * ENDED);
        UpkeepRound.Bounds bounds = new UpkeepRound.Bounds(Time.system());
        try (Connection connection = connection()) {
            for (int round = 0; round < 2; round++) {
                new UpkeepRound(ids, request, Time.system().now()).write(connection, bounds, 0);
                connection.commit();
            }
            analyze();
            long before = entries(connection);
            new UpkeepRound(ids, request, Time.system().now()).write(connection, bounds, 0);
            assertThat(entries(connection) - before).isLessThan(FEW);
        }
        assertThat(Server.count("SELECT count(*) FROM " + schema + ".ended")).isZero();
    }

    /** Measured: 2.3 times the payload, and 0.6 kB. */
    @Test
    void workGoesOnAndTheTablesGrowByABoundForEachJobWhichTheLoadShows() {
        int jobs = 6_000;
        int payload = 1_000;
        long before = size();
        UpkeepRequest upkeep = new UpkeepRequest(Duration.ofSeconds(30), 3, Map.of(),
                new Retention(Duration.ofHours(1), 1_000, Duration.ofDays(1)), 10_000);
        for (int done = 0; done < jobs; done += 200) {
            runThrough(MAIL, 100, payload);
            runThrough(ORDERS, 100, payload);
            store.jobs().upkeep(upkeep, Time.system().now());
        }
        Server.run("SELECT pg_stat_force_next_flush()");
        await().atMost(Duration.ofMinutes(1)).until(() -> {
            store.jobs().upkeep(upkeep, Time.system().now());
            return Objects.requireNonNullElse(store.load().deadRows(), 0L) > 2L * jobs;
        });
        assertThat((size() - before) / jobs).as("bytes a job").isLessThan(3L * payload + 1_000);
        assertThat(store.jobViews().queues()).allSatisfy(view -> assertThat(view.waiting()).isZero());
    }

    /** Pushes, claims and ends jobs of a queue. */
    private void runThrough(QueueName queue, int jobs, int payload) {
        store.jobs().push(IntStream.range(0, jobs).mapToObj(n -> new NewJob(queue, queue.isFifo() ? "g" + n % 10 : null,
                Priority.NORMAL, null, Payload.text("x".repeat(payload)), Map.of(), null, null, null)).toList(),
                Time.system().now());
        int left = jobs;
        while (left > 0) {
            List<ClaimedJob> claimed = store.jobs().claim(new ClaimRequest(NODE, List.of(new Demand(queue, 100))),
                    Time.system().now()).jobs();
            assertThat(claimed).isNotEmpty();
            assertThat(store.jobs().settle(claimed.stream()
                    .map(job -> new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))).toList(),
                    Time.system().now())).containsOnly(SettleResult.ACCEPTED);
            left -= claimed.size();
        }
    }

    /** The bytes of the tables of the schema with their indexes. */
    private long size() {
        return Server.count("SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r'"
                + " AND relnamespace = '" + options.schema() + "'::regnamespace");
    }

    /** Stores jobs in a first state, moves them into the second, and deletes them. The cursors are before them. */
    private void end(String first, String second) {
        cursors = new ScanCursors();
        String table = options.schema() + ".job";
        Server.run("INSERT INTO " + table + "(seq, queue, ready_at, state, priority, content_type, payload)"
                + " SELECT n, 1, 0, 2, 3, 'text/plain', 'x' FROM generate_series(1, " + ENDED + ") AS n",
                "UPDATE " + table + " SET " + first + " WHERE seq <= " + ENDED,
                "UPDATE " + table + " SET " + second + " WHERE seq <= " + ENDED,
                "DELETE FROM " + table + " WHERE seq <= " + ENDED);
    }

    /** Stores lanes in a state, holds them, and deletes them. */
    private void endLanes(int state) {
        String lanes = options.schema() + ".lane";
        Server.run("INSERT INTO " + lanes + "(queue, name, turn, ready_at, state) SELECT 2, 'e' || n, nextval('" + lanes
                + "_turn'), 1, " + state + " FROM generate_series(1, " + ENDED + ") AS n",
                "UPDATE " + lanes + " SET state = 1 WHERE name LIKE 'e%'",
                "DELETE FROM " + lanes + " WHERE name LIKE 'e%'",
                // as many turns as a scan goes back for those that are not committed
                "SELECT setval('" + lanes + "_turn', " + 10 * ENDED + ")");
    }

    /** What the server does by itself at any moment: from then on, statements are planned with the sizes of tables. */
    private void analyze() {
        Server.run(Stream.of("job", "lane", "ended", "recent", "node")
                .map(table -> options.schema() + "." + table).collect(Collectors.joining(", ", "ANALYZE ", "")));
    }

    private void assertOneWalk(QueueName queue) throws SQLException {
        try (Connection connection = connection()) {
            long before = entries(connection);
            assertThat(claim(connection, queue)).isEmpty();
            assertThat(entries(connection) - before).as("the scan that passes them").isGreaterThan(ENDED / 2);
            connection.commit();
            analyze();
            for (int round = 0; round < 3; round++) {
                before = entries(connection);
                claim(connection, queue);
                push(connection, queue);
                assertThat(entries(connection) - before).as("claim and push of round " + round).isLessThan(FEW);
                connection.commit();
            }
        }
    }

    private void push(Connection connection, QueueName queue) throws SQLException {
        List<NewJob> jobs = List.of(job(queue, queue.isFifo() ? "new" : null).claimedBy(NODE));
        PostgresPushes.own(ids, queues, cursors).writeAtOnce(connection,
                new PostgresPushes.PushCall(jobs, Time.system().now()), null);
    }

    private List<ClaimedJob> claim(Connection connection, QueueName queue) throws SQLException {
        return new PostgresClaims(ids, queues, cursors)
                .claim(connection, new ClaimRequest(NODE, List.of(new Demand(queue, 8))), Time.system().now()).jobs();
    }

    /** The index entries that this transaction has read so far. */
    private static long entries(Connection connection) throws SQLException {
        return new Sql(connection, """
                SELECT coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0) FROM pg_stat_user_indexes
                WHERE schemaname = current_schema()""").number();
    }

    /** The blocks that this transaction has read so far. */
    private static long blocks(Connection connection) throws SQLException {
        return new Sql(connection, """
                SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)), 0) FROM pg_class
                WHERE relnamespace = current_schema()::regnamespace""").number();
    }

    private Connection connection() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("options", "-c jit=off -c enable_seqscan=off -c plan_cache_mode=force_generic_plan");
        properties.setProperty("currentSchema", options.schema());
        Connection connection = DriverManager.getConnection(options.url(), properties);
        connection.setAutoCommit(false);
        return connection;
    }

    private static NewJob job(QueueName queue, @Nullable String group) {
        return new NewJob(queue, group, Priority.NORMAL, null, Payload.text("a"), Map.of(), null, null, null);
    }
}
