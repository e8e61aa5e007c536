package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.engine.UserMessages;
import dev.orderly.job.store.JobView;
import dev.orderly.store.postgres.sql.Sql;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pushes and completions inside a transaction of the application. */
class CallersTransactionTest {
    private final PostgresOptions options = Server.fresh();
    private final PostgresStore postgres = PostgresStore.open(options, new SecureRandom());
    private final EngineOptions engineOptions = EngineOptions.defaults();
    private final JobClient client = new JobClient(postgres.jobs(), postgres.jobViews(), engineOptions);
    private final JobWorker worker = new JobWorker(client, UserMessages.NONE);
    private final StandardQueue<String> mail = client.queue("mail", String.class, QueueOptions.STANDARD);
    private final FifoQueue<String> orders = client.fifo("orders.fifo", String.class, QueueOptions.FIFO);

    @AfterEach
    void close() {
        worker.stop();
        client.close();
        postgres.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    @Test
    void aRollbackLeavesNothing() throws SQLException {
        try (Connection own = connection()) {
            JobId id = postgres.in(own, client).push(mail, "a");
            own.rollback();
            assertThat(client.find(id)).isEmpty();
        }
        assertThat(client.list(mail.name(), JobState.WAITING, null, 10)).isEmpty();
    }

    @Test
    void aPushedJobIsVisibleFromTheCommitOn() throws SQLException {
        try (Connection own = connection()) {
            JobId id = postgres.in(own, client).push(mail, "a");
            assertThat(client.find(id)).isEmpty();
            own.commit();
            assertThat(client.find(id)).isPresent();
        }
    }

    @Test
    void aJobThatIsCommittedLateRunsByItself() throws Exception {
        CountDownLatch ran = new CountDownLatch(2);
        worker.handle(mail, (_, _) -> ran.countDown());
        worker.start();
        try (Connection own = connection()) {
            postgres.in(own, client).push(mail, "early in number, late in coming");
            mail.push("another");
            await().until(() -> ran.getCount() == 1);
            own.commit();
        }
        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aLaterPushIntoTheGroupWaitsForTheCallersCommit() throws Exception {
        try (Connection own = connection()) {
            JobId first = postgres.in(own, client).push(client.request(orders, "1").withGroup("g")).id();
            CompletableFuture<JobId> later = CompletableFuture.supplyAsync(() -> orders.group("g").push("2"),
                    Thread::startVirtualThread);
            await().until(() -> Server.count("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                    + " AND application_name = '" + options.schema() + "'") == 1);
            assertThat(later).isNotDone();
            own.commit();
            assertThat(later.get(60, TimeUnit.SECONDS).sequence()).isGreaterThan(first.sequence());
        }
    }

    @Test
    void aSecondPushUnderAKeyIsTheFirstJobInsideATransactionToo() throws SQLException {
        try (Connection own = connection()) {
            JobId first = postgres.in(own, client).push(client.request(mail, "a").withDedupeId("d")).id();
            assertThat(postgres.in(own, client).push(client.request(mail, "a").withDedupeId("d")).id())
                    .isEqualTo(first);
            assertThat(postgres.in(own, client).push(client.request(mail, "b").withDedupeId("d")))
                    .isEqualTo(new PushResult.DedupeReused(first));
            own.commit();
            assertThat(mail.dedupe("d").push("a")).isEqualTo(first);
        }
    }

    @Test
    void theCallersOwnSettingsStayAsTheyWere() throws SQLException {
        try (Connection own = connection()) {
            String before = new Sql(own, "SELECT current_setting('search_path') || current_setting('lock_timeout')")
                    .list(row -> row.getString(1)).getFirst();
            postgres.in(own, client).push(mail, "a");
            assertThat(new Sql(own, "SELECT current_setting('search_path') || current_setting('lock_timeout')")
                    .list(row -> row.getString(1))).containsExactly(before);
        }
    }

    @Test
    void aJobThatIsCompletedInTheCallersTransactionIsDoneWithTheCommitAndRunsOnce() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        worker.handle(mail, (_, job) -> {
            runs.incrementAndGet();
            job.result("sent");
            try (Connection own = connection()) {
                postgres.in(own, client).complete(job);
                assertThat(client.find(job.id()).orElseThrow().state()).isEqualTo(JobState.RUNNING);
                own.commit();
            }
            assertThat(client.find(job.id()).orElseThrow().state()).isEqualTo(JobState.DONE);
            throw new IllegalStateException("after the commit");
        });
        worker.start();
        JobId id = mail.push("a");
        JobId next = mail.push("b");
        await().until(() -> List.of(id, next).stream()
                .allMatch(each -> client.find(each).orElseThrow().state() == JobState.DONE));
        JobView view = client.find(id).orElseThrow();
        assertThat(view.state()).isEqualTo(JobState.DONE);
        assertThat(new String(Objects.requireNonNull(view.result()).bytes(), StandardCharsets.UTF_8)).isEqualTo("sent");
        assertThat(view.failures()).isZero();
        assertThat(runs).hasValue(2);
    }

    @Test
    void afterARollbackTheJobIsTriedAgain() {
        AtomicInteger runs = new AtomicInteger();
        StandardQueue<String> quick = client.queue("quick", String.class, QueueOptions.STANDARD.withRetry(
                new RetryPolicy(3, Duration.ofMillis(1), 1, Duration.ofMillis(1), 0)));
        worker.handle(quick, (_, job) -> {
            try (Connection own = connection()) {
                postgres.in(own, client).complete(job);
                if (runs.incrementAndGet() < 3) {
                    own.rollback();
                    throw new IllegalStateException("not yet");
                }
                own.commit();
            }
        });
        worker.start();
        JobId id = quick.push("a");
        await().until(() -> client.find(id).orElseThrow().state() == JobState.DONE);
        assertThat(runs).hasValue(3);
        assertThat(client.find(id).orElseThrow().failures()).isEqualTo(2);
    }

    @Test
    void jobsOfAGroupCompletedInTransactionsRunInOrder() {
        List<String> ran = new CopyOnWriteArrayList<>();
        worker.handle(orders, (text, job) -> {
            ran.add(text);
            try (Connection own = connection()) {
                postgres.in(own, client).complete(job);
                own.commit();
            }
        });
        List<String> all = IntStream.range(0, 25).mapToObj(Integer::toString).toList();
        orders.pushAll(all, _ -> "g");
        worker.start();
        await().until(() -> ran.size() == 25);
        assertThat(ran).isEqualTo(all);
        await().until(() -> client.list(orders.name(), JobState.DONE, null, 100).size() == 25);
    }

    @Test
    void completingAJobThatAnotherNodeGotSaysToRollBack() throws Exception {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        worker.handle(mail, (_, job) -> {
            if (job.attempt() > 1) {
                return;
            }
            postgres.jobs().release(engineOptions.node(), Set.of(), client.now());
            try (Connection own = connection()) {
                postgres.in(own, client).complete(job);
                thrown.complete(new AssertionError("it was completed"));
            } catch (CallersTransaction.LeaseLost e) {
                thrown.complete(e);
                throw e;
            }
        });
        worker.start();
        JobId id = mail.push("a");
        assertThat(thrown.get(60, TimeUnit.SECONDS)).isInstanceOf(CallersTransaction.LeaseLost.class)
                .hasMessageContaining("roll this transaction back");
        await().until(() -> client.find(id).orElseThrow().state() == JobState.DONE);
    }

    @Test
    void aConnectionThatCommitsByItselfIsRefused() throws SQLException {
        try (Connection own = connection()) {
            own.setAutoCommit(true);
            assertThatThrownBy(() -> postgres.in(own, client).push(mail, "a"))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("setAutoCommit(false)");
        }
    }

    private Connection connection() throws SQLException {
        Connection connection = DriverManager.getConnection(options.url().replaceAll("[?&]ApplicationName=[^&]*", ""));
        connection.setAutoCommit(false);
        return connection;
    }
}
