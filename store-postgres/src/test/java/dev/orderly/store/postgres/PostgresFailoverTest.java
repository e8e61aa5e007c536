package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.orderly.Orderly;
import dev.orderly.job.Batch;
import dev.orderly.job.BatchCounts;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.testkit.server.FaultProxy;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.time.Time;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A primary and its synchronous standby, in one address. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class PostgresFailoverTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int GROUPS = 4;
    private static final int EACH = 60;
    private static final int NODES = 2;
    private static final int CONNECTIONS = 4;
    private static final int ATTEMPTS = 400;

    private final PostgresServer primary = PostgresServer.start("fsync=off", "synchronous_commit=on",
            "synchronous_standby_names=walreceiver");
    private final PostgresServer standby = primary.startStandby("fsync=off", "synchronous_commit=on");
    private final FaultProxy network = new FaultProxy(primary.port());
    private final PostgresOptions options = PostgresOptions.at("postgres://postgres@127.0.0.1:" + network.port()
            + ",127.0.0.1:" + standby.port() + "/postgres?connections=" + CONNECTIONS);
    private final HikariDataSource source = source();
    private final List<PostgresStore> stores = new ArrayList<>();
    private final List<Orderly> nodes = new ArrayList<>();
    private final List<FifoQueue<Integer>> orders = new ArrayList<>();
    private final Map<String, List<Integer>> runs = new ConcurrentHashMap<>();

    /** The pool of an application, which the last node works over. */
    private HikariDataSource source() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(options.url() + "?targetServerType=primary&connectTimeout=2&sslResponseTimeout=2000"
                + "&socketTimeout=15");
        config.setUsername("postgres");
        config.setMaximumPoolSize(CONNECTIONS);
        config.setConnectionTimeout(PostgresOptions.WAIT.toMillis());
        return new HikariDataSource(config);
    }

    @BeforeEach
    void open() {
        for (int n = 0; n < NODES; n++) {
            PostgresStore store = n == 0
                    ? PostgresStore.open(options, new Random(n))
                    : PostgresStore.open(options, source, new Random(n), null);
            Orderly node = Orderly.open(store, EngineOptions.defaults().withNode(new NodeId("node-" + n)));
            FifoQueue<Integer> queue = node.fifo("orders.fifo", Integer.class);
            node.handle(queue, (number, job) -> runs.computeIfAbsent(job.groupId().orElseThrow(),
                    _ -> new CopyOnWriteArrayList<>()).add(number));
            stores.add(store);
            nodes.add(node);
            orders.add(queue);
        }
        nodes.forEach(Orderly::start);
    }

    @AfterEach
    void close() {
        nodes.forEach(Orderly::close);
        stores.forEach(PostgresStore::close);
        source.close();
        network.close();
        standby.close();
        primary.close();
    }

    /** What becomes of a primary before its standby is promoted. */
    enum Loss {
        KILLED(Duration.ofSeconds(10)), SILENT(Duration.ofSeconds(30));

        /** The time from the promotion until nodes work again, as guaranteed. */
        private final Duration back;

        Loss(Duration back) {
            this.back = back;
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatWasAcknowledgedOutlivesAPromotionAndGroupsKeepTheirOrder(Loss loss) throws SQLException {
        List<Rooms.Guest> before = Rooms.line(stores.getFirst().rooms(), Rooms.SALE, 5);
        CompletableFuture<BatchCounts> finished = batchWithAMemberOfADeadNode();
        List<JobId> acknowledged = new CopyOnWriteArrayList<>();
        CompletableFuture<?> pushes = CompletableFuture.allOf(IntStream.range(0, GROUPS)
                .mapToObj(group -> CompletableFuture.runAsync(() -> push(group, acknowledged),
                        Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new));
        await().atMost(PATIENCE).until(() -> acknowledged.size() > GROUPS * EACH / 3);
        if (loss == Loss.KILLED) {
            primary.kill();
        } else {
            network.blackHole();
        }
        promote();
        assertThat(finished).as("dead nodes are found, and batches finish")
                .succeedsWithin(loss.back.plus(NodeTimes.GIVEN_BACK)).isEqualTo(new BatchCounts(2, 2, 0, 0));
        pushes.join();
        await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class)
                .until(() -> acknowledged.stream().allMatch(this::isDone));
        assertThat(acknowledged).hasSize(GROUPS * EACH).doesNotHaveDuplicates();
        assertThat(runs).hasSize(GROUPS).allSatisfy((_, numbers) -> assertThat(numbers.stream().distinct().toList())
                .isEqualTo(IntStream.range(0, EACH).boxed().toList()));
        assertThat(Rooms.line(stores.getFirst().rooms(), Rooms.SALE, 1).getFirst().place())
                .isGreaterThan(before.getLast().place());
    }

    /** The counts of a batch once it has called back; a node that is never heard of again has claimed one member. */
    private CompletableFuture<BatchCounts> batchWithAMemberOfADeadNode() {
        CompletableFuture<BatchCounts> finished = new CompletableFuture<>();
        Orderly node = nodes.getLast();
        StandardQueue<String> mail = node.queue("mail", String.class);
        StandardQueue<String> notes = node.queue("notes", String.class);
        node.handle(notes, (_, job) -> finished.complete(job.batch().counts()));
        Batch batch = node.batch("letters").then(notes, "sent");
        mail.in(batch).pushAll(List.of("a", "b"));
        batch.close();
        JobStore jobs = stores.getFirst().jobs();
        NodeId dead = new NodeId("dead");
        jobs.beat(dead, Set.of(mail.name()));
        assertThat(jobs.claim(new ClaimRequest(dead, List.of(new Demand(mail.name(), 1))), Time.system().now()).jobs())
                .hasSize(1);
        node.handle(mail, (_, _) -> {});
        return finished;
    }

    private void push(int group, List<JobId> acknowledged) {
        for (int number = 0; number < EACH; number++) {
            int next = number;
            FifoQueue<Integer> queue = orders.get(next % NODES);
            await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class).until(() -> acknowledged.add(
                    queue.group("g" + group).dedupe("g" + group + "-" + next).push(next)));
        }
    }

    private boolean isDone(JobId job) {
        return nodes.getFirst().jobs().find(job).orElseThrow().state() == JobState.DONE;
    }

    @Test
    void withoutAStandbyThatAcknowledgesNothingIsAcknowledgedNodesStopTheirHandlersAndAllGoesOnAfterwards()
            throws SQLException {
        StandardQueue<String> mail = nodes.getFirst().queue("mail", String.class);
        AtomicInteger stopped = new AtomicInteger();
        CompletableFuture<Void> running = new CompletableFuture<>();
        nodes.getFirst().handle(mail, (text, job) -> {
            if (text.equals("long") && stopped.get() == 0) {
                running.complete(null);
                try {
                    new CompletableFuture<>().get();
                } catch (InterruptedException e) {
                    stopped.incrementAndGet();
                    throw e;
                }
            }
        });
        StandardQueue<Integer> later = nodes.getFirst().queue("later", Integer.class);
        Set<Integer> started = ConcurrentHashMap.newKeySet();
        for (Orderly node : nodes) {
            node.handle(node.queue("later", Integer.class), (number, _) -> started.add(number));
        }
        List<Integer> due = IntStream.range(0, 5).boxed().toList();
        due.forEach(number -> later.delay(Duration.ofSeconds(2)).push(number));
        JobId held = mail.push("long");
        running.join();
        standby.suspend(true);
        CompletableFuture<?> hammering = CompletableFuture.allOf(IntStream.range(0, 20)
                .mapToObj(n -> CompletableFuture.runAsync(() -> assertThatThrownBy(() -> mail.push("lost " + n))
                        .isInstanceOf(StoreException.class), Thread::startVirtualThread))
                .toArray(CompletableFuture[]::new));
        await().atMost(PATIENCE).until(() -> stopped.get() == 1);
        hammering.join();
        for (Orderly node : nodes) {
            StandardQueue<String> notes = node.queue("notes", String.class);
            await().atMost(PATIENCE).untilAsserted(() -> assertThatThrownBy(() -> notes.push("refused"))
                    .isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("synchronous_standby_names"));
        }
        StandardQueue<String> overPool = nodes.getLast().queue("notes", String.class);
        long before = opened();
        for (int n = 0; n < ATTEMPTS; n++) {
            assertThatThrownBy(() -> overPool.push("refused")).isInstanceOf(StoreException.Unavailable.class);
        }
        assertThat(opened() - before).isLessThan(ATTEMPTS / 2);
        assertThat(sessions()).isLessThanOrEqualTo(NODES * (2 * CONNECTIONS + 6));
        assertThat(started).as("jobs whose claims hang").isEmpty();
        standby.suspend(false);
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(100)).until(() -> started.containsAll(due));
        await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class).until(() -> isDone(held));
        List<JobId> after = new CopyOnWriteArrayList<>();
        await().atMost(PATIENCE).ignoreExceptionsInstanceOf(StoreException.class)
                .until(() -> after.add(mail.push("after")));
        await().atMost(PATIENCE).until(() -> isDone(after.getFirst()));
    }

    @Test
    void aStandbyAloneIsRefusedWithTheRemedy() {
        assertThatThrownBy(() -> PostgresStore.at(standby.address())).isInstanceOf(StoreException.Unavailable.class)
                .hasMessageContaining("is a standby, which takes no writes: use the address of the primary");
    }

    private void promote() throws SQLException {
        try (Connection connection = DriverManager.getConnection(standby.url());
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_promote()");
        }
    }

    /** Sessions of clients that the primary has accepted so far; the server counts a session once it has ended. */
    private long opened() throws SQLException {
        try (Connection connection = DriverManager.getConnection(primary.url())) {
            return new Sql(connection, "SELECT sessions FROM pg_stat_database WHERE datname = current_database()")
                    .number();
        }
    }

    private long sessions() throws SQLException {
        try (Connection connection = DriverManager.getConnection(primary.url())) {
            connection.setAutoCommit(false);
            return new Sql(connection,
                    "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'").number();
        }
    }
}
