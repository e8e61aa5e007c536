package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.Orderly;
import dev.orderly.job.Handler;
import dev.orderly.job.JobId;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomState;
import dev.orderly.room.store.Departure;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.CallersSessions;
import dev.orderly.store.postgres.sql.ServerRuns;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.store.postgres.sql.SqlErrors;
import dev.orderly.store.postgres.sql.Transactions;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes that remember what a promoted asynchronous standby has never received. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class LostWritesFailoverTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int EACH = 20;
    private static final String SCHEMA = "trial";

    private final PostgresServer primary = PostgresServer.start("fsync=off");
    private final PostgresServer standby = primary.startStandby("fsync=off");
    private final PostgresOptions options = PostgresOptions.at("postgres://postgres@127.0.0.1:" + primary.port()
            + ",127.0.0.1:" + standby.port() + "/postgres?connections=3").withSchema(SCHEMA);
    private final HikariDataSource source = source();
    private final List<AutoCloseable> open = new ArrayList<>();
    /** Payloads that the handler of each queue has got. */
    private final ConcurrentMap<String, List<String>> runs = new ConcurrentHashMap<>();

    private HikariDataSource source() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(options.url() + "?targetServerType=primary");
        config.setUsername("postgres");
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(PostgresOptions.WAIT.toMillis());
        return new HikariDataSource(config);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
        source.close();
        standby.close();
        primary.close();
    }

    @Test
    void afterAFailoverThatLostAQueueItsJobsAreInNoOtherQueue() throws SQLException {
        List<Orderly> nodes = List.of(node(PostgresStore.open(options, new Random(1))),
                node(PostgresStore.open(options, source, new Random(2), null)));
        nodes.forEach(node -> work(node, "kept"));
        push(nodes, "kept", "before");
        await().atMost(PATIENCE).until(() -> standbyHas("SELECT count(*) FROM queue WHERE name = 'kept'"));
        stopReplication();
        nodes.forEach(node -> work(node, "lost"));
        push(nodes, "lost", "before");
        await().atMost(PATIENCE).until(() -> runs("lost").size() >= 2 * EACH);
        long number = number(primary, "lost");
        failOver();
        ask(standby, "SELECT setval(pg_get_serial_sequence('trial.queue', 'id'), " + number + ", false)");

        Orderly fresh = node(PostgresStore.open(options, new Random(3)));
        work(fresh, "fresh");
        List<Orderly> idle = List.of(node(PostgresStore.open(options, new Random(4))));
        push(idle, "fresh", "before");
        assertThat(number(standby, "fresh")).isEqualTo(number);
        runs.clear();
        assertThat(push(nodes, "lost", "after")).allMatch(job -> isOf(idle.getFirst(), job, "lost"));
        assertThat(pushInTransactions(nodes, "lost")).allMatch(job -> isOf(idle.getFirst(), job, "lost"));
        push(idle, "fresh", "after");
        push(idle, "lost", "elsewhere");
        push(nodes, "kept", "after");
        await().atMost(PATIENCE).until(() -> runs("lost").size() >= 5 * EACH && runs("fresh").size() >= EACH
                && runs("kept").size() >= 2 * EACH);
        runs.forEach((queue, payloads) -> assertThat(payloads).allMatch(payload -> payload.startsWith(queue)));
    }

    @Test
    void aTransactionThatStillLeadsToTheOldPrimaryGetsNoNumbersOfTheNewOne() throws SQLException {
        Orderly node = node(PostgresStore.open(options, new Random(1)));
        push(List.of(node), "kept", "before");
        await().atMost(PATIENCE).until(() -> standbyHas("SELECT count(*) FROM queue WHERE name = 'kept'"));
        stopReplication();
        promote();
        try (Orderly other = Orderly.open(PostgresStore.open(PostgresOptions.at(standby.address()).withSchema(SCHEMA)));
                Connection old = DriverManager.getConnection(primary.url())) {
            old.setAutoCommit(false);
            StandardQueue<String> fresh = other.queue("fresh", String.class);
            fresh.push("new primary");
            assertThatThrownBy(() -> fresh.in(old).push("old primary")).isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("leads to another server than those of the store");
        }
    }

    @Test
    void whatWasRevokedIsThatOfThePromotedServer() throws SQLException {
        PostgresStore store = PostgresStore.open(options, new Random(1));
        open.add(store);
        List<Rooms.Guest> guests = Rooms.line(store.rooms(), Rooms.SALE, 2);
        Rooms.govern(store.rooms(), Limits.NONE, Rooms.NOW);
        await().atMost(PATIENCE).until(() -> standbyHas("SELECT count(*) FROM room WHERE length = 2"));
        stopReplication();
        revoke(store, guests.getFirst());
        assertThat(state(store).isVoid(guests.getFirst().id())).isTrue();
        failOver();
        try (PostgresStore other = PostgresStore.open(options, new Random(2))) {
            revoke(other, guests.getLast());
        }
        RoomState after = await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class)
                .until(() -> state(store), _ -> true);
        assertThat(after.isVoid(guests.getLast().id())).isTrue();
        assertThat(after.isVoid(guests.getFirst().id())).isFalse();
    }

    @Test
    void transactionsOfAFormerServerHaveEnded() throws SQLException {
        ServerRuns servers = new ServerRuns();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        CompletableFuture<Void> known = new CompletableFuture<>();
        PostgresStore store = PostgresStore.open(options, new Random(1));
        open.add(store);
        Transactions transactions = new Transactions(
                CallersSessions.checked(source, "test", SCHEMA, salt()),
                new SqlErrors("test"));
        try (EndedTransactions watch = new EndedTransactions(transactions, servers, Time.system())) {
            watch.watch("3", () -> known.complete(null));
            known.join();
            watch.watch("1000000", () -> ended.complete(null)); // a number that the server refuses, as not given yet
            primary.restart();
            assertThat(ended).succeedsWithin(PATIENCE);
        }
    }

    private Orderly node(PostgresStore store) {
        open.add(store);
        Orderly node = Orderly.open(store, EngineOptions.defaults());
        open.add(node);
        node.start();
        return node;
    }

    private List<String> runs(String queue) {
        return runs.computeIfAbsent(queue, _ -> new CopyOnWriteArrayList<>());
    }

    private void work(Orderly node, String queue) {
        Handler<String> handler = (payload, _) -> {
            if (!runs(queue).contains(payload)) {
                runs(queue).add(payload);
            }
        };
        node.handle(node.queue(queue, String.class), handler);
    }

    private static List<JobId> push(List<Orderly> nodes, String queue, String when) {
        return each(nodes, (node, name) -> node.queue(queue, String.class).push(queue + " " + when + " " + name));
    }

    private List<JobId> pushInTransactions(List<Orderly> nodes, String queue) {
        return each(nodes, (node, name) -> {
            try (Connection connection = source.getConnection()) {
                connection.setAutoCommit(false);
                JobId job = node.queue(queue, String.class).in(connection).push(queue + " within " + name);
                connection.commit();
                return job;
            }
        });
    }

    /** A push of a node. */
    private interface Push {
        JobId by(Orderly node, String name) throws SQLException;
    }

    private static List<JobId> each(List<Orderly> nodes, Push push) {
        List<JobId> jobs = new ArrayList<>();
        for (int n = 0; n < EACH; n++) {
            for (Orderly node : nodes) {
                String name = nodes.indexOf(node) + " " + n;
                await().atMost(PATIENCE).ignoreExceptionsMatching(
                        error -> error instanceof StoreException || error instanceof SQLException)
                        .until(() -> jobs.add(push.by(node, name)));
            }
        }
        return jobs;
    }

    private static boolean isOf(Orderly node, JobId job, String queue) {
        return node.jobs().find(job).orElseThrow().queue().value().equals(queue);
    }

    private static void revoke(PostgresStore store, Rooms.Guest guest) {
        store.rooms().depart(Rooms.SALE, List.of(new Departure(guest.id(), 1, 0,
                Rooms.NOW.plus(Rooms.PASS))), Rooms.NOW);
    }

    private static RoomState state(PostgresStore store) {
        return Rooms.state(store.rooms(), Rooms.NOW);
    }

    /** Lets the standby receive nothing more, as behind a slow link. */
    private void stopReplication() throws SQLException {
        ask(standby, "ALTER SYSTEM SET primary_conninfo = ''");
        ask(standby, "SELECT pg_reload_conf()");
        await().atMost(PATIENCE).until(() -> standbyHas("SELECT 1 - count(*) FROM pg_stat_wal_receiver"));
    }

    private void failOver() throws SQLException {
        primary.kill();
        promote();
    }

    private void promote() throws SQLException {
        ask(standby, "SELECT pg_promote()");
    }

    private boolean standbyHas(String count) throws SQLException {
        return number(standby, connection -> new Sql(connection, count).number()) > 0;
    }

    private static long number(PostgresServer server, String queue) throws SQLException {
        return number(server, connection -> new Sql(connection, "SELECT id FROM queue WHERE name = ?").with(queue)
                .number());
    }

    private long salt() throws SQLException {
        return number(primary, connection -> new Sql(connection, "SELECT salt FROM meta").number());
    }

    private static long number(PostgresServer server, Transactions.Work<Long> question) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url() + "&currentSchema=" + SCHEMA)) {
            return question.on(connection);
        }
    }

    private static void ask(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
