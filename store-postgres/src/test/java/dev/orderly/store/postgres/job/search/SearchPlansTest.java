package dev.orderly.store.postgres.job.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.search.ErrorFingerprint;
import dev.orderly.job.search.GroupQuery;
import dev.orderly.job.search.GroupQuery.Order;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.search.JobSearch;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.postgres.Server;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.sql.DatabaseJobIds;
import dev.orderly.store.sql.GroupScan;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows that a search reads, on a large table with and without statistics. */
class SearchPlansTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final QueueName ORDERS = new QueueName("orders.fifo");
    private static final QueueName NEWS = new QueueName("news");
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final int MUCH = 60_000;
    private static final int FEW = 2_000;

    private final PostgresOptions options = Server.fresh();

    @AfterEach
    void drop() {
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSearchReadsWhatItsIndexHasAndNeverMoreThanTheBound(boolean analysed) throws SQLException {
        fill(analysed);
        try (Connection connection = connection()) {
            DatabaseJobIds ids = new DatabaseJobIds(new Sql(connection, "SELECT salt FROM meta").number());
            Map<JobSearch, Integer> most = new LinkedHashMap<>();
            most.put(JobSearch.ALL, FEW);
            most.put(JobSearch.ALL.inQueue(NEWS), FEW);
            most.put(JobSearch.ALL.inQueue(NEWS).inState(JobState.WAITING), FEW);
            most.put(JobSearch.ALL.inQueue(NEWS).inState(JobState.DELAYED), FEW);
            most.put(JobSearch.ALL.inQueue(MAIL), FEW);
            most.put(JobSearch.ALL.inQueue(ORDERS).inGroup("g7"), FEW);
            most.put(JobSearch.ALL.inState(JobState.RUNNING), FEW);
            most.put(JobSearch.ALL.inState(JobState.DEAD), FEW);
            most.put(JobSearch.ALL.deadBy(new ErrorFingerprint(7)), FEW);
            most.put(JobSearch.ALL.inQueue(ORDERS), JobFinder.LOOKED_MAX + FEW);
            most.put(JobSearch.ALL.ofUser(new UserId("nobody")), JobFinder.LOOKED_MAX + 5_000);
            most.put(JobSearch.ALL.inQueue(MAIL).ofUser(new UserId("nobody")), JobFinder.LOOKED_MAX + 5_000);
            for (Map.Entry<JobSearch, Integer> each : most.entrySet()) {
                long before = read(connection);
                new PostgresSearchSources(ids, connection, each.getKey()).page(null, 50, null);
                assertThat(read(connection) - before).as("rows read for %s", each.getKey())
                        .isLessThan(each.getValue());
            }
            for (Order order : List.of(Order.HALTED, Order.RETRYING, Order.RUNNING)) {
                long before = read(connection);
                new GroupScan(new PostgresGroupSeeks(connection, 2), ids).find(new GroupQuery(ORDERS, order, 50));
                assertThat(read(connection) - before).as("rows read for %s groups", order).isLessThan(FEW);
            }
        }
    }

    private void fill(boolean analysed) {
        String schema = options.schema();
        try (PostgresStore postgres = PostgresStore.open(options)) {
            postgres.jobs().push(List.of(job(MAIL, null), job(ORDERS, "g"), job(NEWS, null)), NOW);
        }
        Server.run("INSERT INTO " + schema + ".job(seq, queue, ready_at, state, priority, grp, content_type, payload)"
                + " SELECT n, 1 + n % 2, 0, 0, 3, CASE n % 2 WHEN 1 THEN 'g' || n / 10 END, 'text/plain', 'x'"
                + " FROM generate_series(1, " + MUCH + ") AS n");
        Server.run("INSERT INTO " + schema + ".lane(queue, name, turn, ready_at, state) SELECT DISTINCT 2, grp,"
                + " 0, 0, 0 FROM " + schema + ".job WHERE grp IS NOT NULL ON CONFLICT DO NOTHING");
        Server.run("INSERT INTO " + schema + ".job(seq, queue, ready_at, state, priority, content_type, payload, error)"
                + " SELECT 1000000 + n, 3, 1, 3, 3, 'text/plain', 'x', n % 3 + 6 FROM generate_series(1, 200) AS n");
        Server.run("INSERT INTO " + schema + ".job(seq, queue, ready_at, state, priority, content_type, payload, node)"
                + " SELECT 2000000 + n, 1, 0, 2, 3, 'text/plain', 'x', 1 FROM generate_series(1, 20) AS n");
        if (analysed) {
            Server.run("ANALYZE " + schema + ".job");
        }
    }

    private Connection connection() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("options", "-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan");
        properties.setProperty("prepareThreshold", "1");
        properties.setProperty("currentSchema", options.schema());
        Connection connection = DriverManager.getConnection(options.url(), properties);
        connection.setAutoCommit(false);
        return connection;
    }

    private static long read(Connection connection) throws SQLException {
        return new Sql(connection, """
                SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) FROM pg_stat_xact_user_tables
                WHERE schemaname = current_schema()""").number();
    }

    private static NewJob job(QueueName queue, @Nullable String group) {
        return new NewJob(queue, group, Priority.NORMAL, null, Payload.text("a"), Map.of(), null, null, null);
    }
}
