package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.postgres.RoomPlansTest.Planned;
import dev.orderly.store.postgres.job.PostgresClaims;
import dev.orderly.store.postgres.job.PostgresPushes;
import dev.orderly.store.postgres.job.PostgresQueueTable;
import dev.orderly.store.postgres.job.PostgresSettlements;
import dev.orderly.store.postgres.job.scan.ScanCursors;
import dev.orderly.store.postgres.sql.LockPatience;
import dev.orderly.store.postgres.sql.ServerRuns;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.DatabaseJobIds;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Plans of the statements of a job's life, as the server makes them for the store's connections: without knowledge of
 * the values, on tables without statistics and on large analysed ones. Of a function, the number of rows that it reads.
 */
@Tag("slow")
class PlansTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final NodeId NODE = new NodeId("node");
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final int MUCH = 100_000;
    /** Bound on the rows that a call about a few jobs reads. */
    private static final int FEW = 3_000;

    private final PostgresOptions options = Server.fresh();

    @AfterEach
    void drop() {
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void onFreshTablesEveryStatementUsesAnIndexAndSortsNoWaitingJobs() throws SQLException {
        assertPlansGoByIndex(0, false);
    }

    @Test
    void onLargeTablesWithoutStatisticsEveryStatementUsesAnIndex() throws SQLException {
        assertPlansGoByIndex(MUCH, false);
    }

    @Test
    void onLargeAnalysedTablesEveryStatementUsesAnIndex() throws SQLException {
        assertPlansGoByIndex(MUCH, true);
    }

    @ParameterizedTest
    @EnumSource
    void noFunctionReadsManyJobs(Planned planned) throws SQLException {
        try (PostgresStore postgres = PostgresStore.open(options, new Random(7))) {
            postgres.jobs().push(List.of(job(MAIL, null), job(ORDERS, "g")), NOW);
            postgres.jobs().beat(NODE);
        }
        try (Connection connection = connection("5")) {
            if (planned == Planned.ON_TABLES_VACUUMED_WHILE_EMPTY) {
                Server.run("DELETE FROM " + options.schema() + ".job", "DELETE FROM " + options.schema() + ".lane");
                Server.vacuum(options);
                assertThat(life(connection)).isNotEmpty();
                new Sql(connection, "SELECT pg_stat_force_next_flush()").list(_ -> true);
                connection.rollback();
            }
            fill(MUCH, false);
            if (planned == Planned.ON_FULL_TABLES_WITH_STATISTICS) {
                Server.vacuum(options);
            }
            assertThat(life(connection)).allSatisfy((work, rows) -> assertThat(rows).as("rows that %s reads", work)
                    .isPositive().isLessThan(FEW));
        }
    }

    /** The number of rows that each call in the life of a few jobs reads. */
    private static Map<String, Long> life(Connection connection) throws SQLException {
        Map<String, Long> rows = new LinkedHashMap<>();
        DatabaseJobIds ids = new DatabaseJobIds(new Sql(connection, "SELECT salt FROM meta").number());
        PostgresQueueTable queues = new PostgresQueueTable(new ServerRuns());
        long before = read(connection);
        PostgresPushes.own(ids, queues, new ScanCursors()).writeAtOnce(connection,
                new PostgresPushes.PushCall(List.of(job(ORDERS, "g"), job(ORDERS, "new"), job(MAIL, null)), NOW), null);
        rows.put("a push", read(connection) - before);
        before = read(connection);
        List<ClaimedJob> claimed = new PostgresClaims(ids, queues, new ScanCursors()).claim(connection,
                new ClaimRequest(NODE, List.of(new Demand(MAIL, 32), new Demand(ORDERS, 8))), NOW).jobs();
        rows.put("a claim", read(connection) - before);
        before = read(connection);
        new PostgresSettlements(ids).settle(connection, claimed.stream()
                .map(job -> new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))).toList(), NOW,
                LockPatience.BRIEF);
        rows.put("a settlement", read(connection) - before);
        return rows;
    }

    private static long read(Connection connection) throws SQLException {
        return new Sql(connection, """
                SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) FROM pg_stat_xact_user_tables
                WHERE schemaname = current_schema()""").number();
    }

    private Connection connection(String prepareThreshold) throws SQLException {
        return Server.session(PostgresOptions.at(options.url() + "&prepareThreshold=" + prepareThreshold)
                .withSchema(options.schema()));
    }

    private void assertPlansGoByIndex(int waiting, boolean analysed) throws SQLException {
        try (PostgresStore postgres = PostgresStore.open(options, new Random(7))) {
            postgres.jobs().push(List.of(job(MAIL, null), job(ORDERS, "g")), NOW);
            fill(waiting, analysed);
        }
        try (Connection connection = connection("1")) {
            live(connection);
            Map<String, String> plans = plans(connection);
            assertThat(plans).hasSizeGreaterThan(5);
            plans.forEach((text, plan) -> assertThat(plan).as(text)
                    .doesNotContainPattern("Seq Scan on (job|lane|ended|recent|node)\\b")
                    .doesNotContain("Hash Join", "Merge Join", "Hash Cond", "Join Filter"));
        }
    }

    /** The numbers are in the past, so that jobs pushed by the test come after them. */
    private void fill(int waiting, boolean analysed) {
        String schema = options.schema();
        Server.run("INSERT INTO " + schema + ".job(seq, queue, ready_at, state, priority, grp, content_type, payload)"
                + " SELECT n, 1 + n % 2, 0, 0, 3, CASE n % 2 WHEN 1 THEN 'g' || n / 10 END, 'text/plain', 'x'"
                + " FROM generate_series(1, " + waiting + ") AS n");
        Server.run("INSERT INTO " + schema
                + ".job(seq, queue, ready_at, state, priority, grp, content_type, payload, node)"
                + " SELECT " + waiting + " + n, 2, 0, 2, 3, 'held' || n, 'text/plain', 'x', 99"
                + " FROM generate_series(1, " + waiting / 5 + ") AS n");
        Server.run("INSERT INTO " + schema + ".lane(queue, name, turn, ready_at, state) SELECT DISTINCT 2, grp,"
                + " nextval('" + schema + ".lane_turn'), 0, CASE state WHEN 2 THEN 1 ELSE 0 END FROM " + schema
                + ".job WHERE grp IS NOT NULL ON CONFLICT DO NOTHING");
        if (analysed) {
            Server.run("ANALYZE");
        }
    }

    /** All statements that concern many jobs. */
    private static void live(Connection connection) throws SQLException {
        DatabaseJobIds ids = new DatabaseJobIds(new Sql(connection, "SELECT salt FROM meta").number());
        PostgresQueueTable queues = new PostgresQueueTable(new ServerRuns());
        PostgresPushes push = PostgresPushes.own(ids, queues, new ScanCursors());
        PostgresSettlements settle = new PostgresSettlements(ids);
        new Sql(connection, "SELECT node_beat(?, NULL, 0, 0)").with(NODE.value()).list(_ -> true);
        for (List<NewJob> jobs : List.of(List.of(job(MAIL, null)), List.of(job(ORDERS, "g"), job(ORDERS, "h")))) {
            push.write(connection, push.queues(connection, jobs), new PostgresPushes.PushCall(jobs, NOW));
        }
        PostgresClaims claims = new PostgresClaims(ids, queues, new ScanCursors());
        List<ClaimedJob> claimed = new ArrayList<>(claims
                .claim(connection, new ClaimRequest(NODE, List.of(new Demand(MAIL, 100), new Demand(ORDERS, 100))), NOW)
                .jobs());
        settle.settle(connection, IntStream.range(0, claimed.size())
                .mapToObj(n -> new Settlement(NODE, claimed.get(n).attempt(),
                        n % 3 == 0 ? new AttemptOutcome.GiveBack() : new AttemptOutcome.Done(null)))
                .toList(), NOW, LockPatience.BRIEF);
        settle.release(connection, NODE, java.util.Set.of(), 0, NOW, LockPatience.BRIEF);
    }

    private static Map<String, String> plans(Connection connection) throws SQLException {
        Map<String, Integer> statements = new LinkedHashMap<>();
        Map<String, String> plans = new LinkedHashMap<>();
        new Sql(connection, """
                SELECT name, statement, cardinality(parameter_types) FROM pg_prepared_statements
                WHERE statement ~ '(job|lane|ended|node)' AND statement !~ 'pg_' ORDER BY prepare_time""").list(row -> {
            plans.put(row.getString(1), row.getString(2));
            return statements.put(row.getString(1), row.getInt(3));
        });
        Map<String, String> found = new LinkedHashMap<>();
        for (Map.Entry<String, Integer> each : statements.entrySet()) {
            String values = "NULL, ".repeat(each.getValue()).replaceFirst(", $", "");
            List<String> lines = new Sql(connection, "EXPLAIN (COSTS off) EXECUTE \"" + each.getKey() + "\""
                    + (values.isEmpty() ? "" : "(" + values + ")")).list(row -> row.getString(1));
            found.put(plans.getOrDefault(each.getKey(), ""), String.join("\n", lines));
        }
        return found;
    }

    private static NewJob job(QueueName queue, @Nullable String group) {
        return new NewJob(queue, group, Priority.NORMAL, null, Payload.text("a"), Map.of(), null, null, null);
    }
}
