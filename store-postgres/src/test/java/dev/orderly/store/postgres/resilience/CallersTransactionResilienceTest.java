package dev.orderly.store.postgres.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.flow.Lifecycle;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.engine.MessageTarget;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.store.Bus;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.postgres.Server;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An application's open transaction blocks the group or key it pushed under, and nothing else. */
@Tag("slow")
class CallersTransactionResilienceTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private final PostgresOptions options = Server.fresh().withCallerHold(LONG);
    private final PostgresStore postgres = PostgresStore.open(options);
    private final Lifecycle pushes = new Lifecycle();
    private final JobClient client = new JobClient(postgres.jobs(), postgres.jobViews(),
            EngineOptions.defaults().withStopGrace(Duration.ofSeconds(5)), Bus.ALONE, postgres.transactionalJobs(),
            pushes);
    private final JobWorker worker = new JobWorker(client, MessageTarget.NONE);
    private final StandardQueue<String> mail = client.queue("mail", String.class, QueueOptions.STANDARD);
    private final FifoQueue<String> orders = client.fifo("orders.fifo", String.class, QueueOptions.FIFO);

    @AfterEach
    void close() {
        worker.stop();
        pushes.end();
        postgres.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void whileATransactionHoldsAGroupEverythingElseIsPushedAndDone() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        List<String> ran = new CopyOnWriteArrayList<>();
        worker.handle(orders, (text, _) -> {
            if (text.equals("g1")) {
                running.countDown();
                assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
            }
            ran.add(text);
        });
        worker.handle(mail, (_, _) -> {});
        worker.start();
        JobId held = orders.group("g").push("g1");
        assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
        try (Connection own = connection()) {
            orders.in(own).group("g").push("g2");
            go.countDown();
            await().atMost(Duration.ofSeconds(30)).until(() -> ran.contains("g1"));
            CompletableFuture<JobId> behind = CompletableFuture.supplyAsync(() -> orders.group("g").push("g3"),
                    Thread::startVirtualThread);
            List<JobId> others = new ArrayList<>();
            for (int n = 0; n < 50; n++) {
                others.add(mail.push("m" + n));
                others.add(orders.group("h" + n % 5).push("h" + n));
            }
            awaitDone(others);
            assertThat(client.find(held).orElseThrow().state()).isEqualTo(JobState.RUNNING);
            own.commit();
            behind.exceptionally(_ -> orders.group("g").push("g3")).get(60, TimeUnit.SECONDS);
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> ran.contains("g3"));
        assertThat(ran.stream().filter(text -> text.startsWith("g"))).containsExactly("g1", "g2", "g3");
    }

    @Test
    void whileATransactionHoldsAKeyEverythingElseIsPushed() throws Exception {
        try (Connection own = connection()) {
            JobId first = mail.in(own).dedupe("d").push("a");
            CompletableFuture<JobId> second = CompletableFuture.supplyAsync(() -> pushUntilTaken("d"),
                    Thread::startVirtualThread);
            await().until(() -> Server.count("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                    + " AND application_name = '" + options.schema() + "'") > 0);
            CompletableFuture<Void> others = CompletableFuture.runAsync(
                    () -> IntStream.range(0, 20).forEach(n -> mail.push("m" + n)), Thread::startVirtualThread);
            others.get(60, TimeUnit.SECONDS);
            assertThat(second).isNotDone();
            own.commit();
            assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(first);
        }
    }

    private JobId pushUntilTaken(String key) {
        while (true) {
            try {
                return mail.dedupe(key).push("a");
            } catch (StoreException.Unavailable e) {
                assertThat(e).hasMessageContaining("queue mail");
            }
        }
    }

    @Test
    void aPushBehindATransactionThatDoesNotEndIsRefusedAndNamesTheGroupAndTheSetting() throws Exception {
        try (Connection own = connection()) {
            orders.in(own).group("g").push("1");
            assertThatThrownBy(() -> orders.group("g").push("2")).isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("Group g of queue orders.fifo").hasMessageContaining("caller-hold");
            own.rollback();
        }
        assertThat(client.find(orders.group("g").push("3"))).isPresent();
    }

    @Test
    void aTransactionThatIsLeftOpenAfterAPushIsEndedByTheServer() throws Exception {
        PostgresOptions brief = options.withCallerHold(Duration.ofSeconds(1));
        try (PostgresStore store = PostgresStore.open(brief); Connection own = connection()) {
            pushIn(store, own);
            JobId id = orders.group("g").push("2");
            assertThat(client.find(id)).isPresent();
            assertThatThrownBy(own::commit).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aBusyTransactionHoldsAGroupNoLongerThanTheLimit() throws Exception {
        PostgresOptions brief = options.withCallerHold(Duration.ofSeconds(1));
        try (PostgresStore store = PostgresStore.open(brief);
                Connection own = connection();
                Statement statement = own.createStatement()) {
            pushIn(store, own);
            assertThatThrownBy(() -> statement.execute("SELECT pg_sleep(20)")).isInstanceOf(SQLException.class);
            assertThat(client.find(orders.group("g").push("2"))).isPresent();
        }
    }

    @Test
    void theLimitsOfATransactionEndWithIt() throws Exception {
        PostgresOptions brief = options.withCallerHold(Duration.ofSeconds(30));
        try (PostgresStore store = PostgresStore.open(brief); Connection own = connection()) {
            pushIn(store, own);
            own.commit();
            try (Statement statement = own.createStatement();
                    var rows = statement.executeQuery(
                            """
                                    SELECT current_setting('idle_in_transaction_session_timeout'),
                                      current_setting('lock_timeout'), coalesce(current_setting('transaction_timeout', true), '0')
                                    """)) {
                rows.next();
                for (int limit = 1; limit <= 3; limit++) {
                    assertThat(rows.getString(limit)).isEqualTo("0");
                }
            }
        }
    }

    @Test
    void completingAJobInATransactionThatDoesNotSeeLaterPushesIsRefused() throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        worker.handle(orders, (_, job) -> thrown.complete(completed(job, Connection.TRANSACTION_REPEATABLE_READ)));
        orders.group("g").push("1");
        worker.start();
        assertThat(thrown.get(30, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("REPEATABLE READ").hasMessageContaining("TRANSACTION_READ_COMMITTED");
    }

    @Test
    void aPushIsPartOfATransactionOfAnyIsolation() throws Exception {
        for (int isolation : List.of(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE)) {
            try (Connection own = connection()) {
                JobId first = orders.group("g" + isolation).push("first");
                own.setTransactionIsolation(isolation);
                try (Statement statement = own.createStatement()) {
                    statement.execute("SELECT 1");
                }
                JobId before = orders.group("g" + isolation).push("before");
                assertThat(before.sequence()).isGreaterThan(first.sequence());
                JobId id = orders.in(own).group("g" + isolation).push("a");
                own.commit();
                assertThat(id.sequence()).isGreaterThan(before.sequence());
                assertThat(client.find(id).orElseThrow().state()).isEqualTo(JobState.WAITING);
            }
        }
    }

    private void pushIn(PostgresStore store, Connection own) {
        NewJob job = client.check(client.request(orders, "1").withGroup("g"));
        store.transactionalJobs().push(new CallersTransaction.OnConnection(own), List.of(job), client.now(), null);
    }

    private Throwable completed(Job<?> job, int isolation) throws SQLException {
        try (Connection own = connection()) {
            own.setTransactionIsolation(isolation);
            job.completeIn(own);
            return new AssertionError("it was completed");
        } catch (IllegalStateException e) {
            return e;
        }
    }

    private void awaitDone(List<JobId> ids) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> ids.stream().allMatch(id -> client.find(id).orElseThrow().state() == JobState.DONE));
    }

    private Connection connection() throws SQLException {
        Connection connection = DriverManager.getConnection(options.url().replaceAll("[?&]ApplicationName=[^&]*", ""));
        connection.setAutoCommit(false);
        return connection;
    }
}
