package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.flow.Lifecycle;
import dev.orderly.job.EventResult;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.engine.MessageTarget;
import dev.orderly.job.transaction.AmbientTransaction;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.job.transaction.LeaseLostException;
import dev.orderly.store.Bus;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.Sql;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Pushes and completions inside a transaction of the application. */
class CallersTransactionTest {
    private static final QueueOptions AGAIN = QueueOptions.STANDARD.withRetry(
            new RetryPolicy(3, Duration.ofMillis(1), 1, Duration.ofMillis(1), 0));

    private final List<String> hints = new CopyOnWriteArrayList<>();
    private final PostgresOptions options = Server.fresh();
    private final PostgresStore postgres = PostgresStore.open(options, new SecureRandom());
    private final EngineOptions engineOptions = EngineOptions.defaults();
    private final Lifecycle pushes = new Lifecycle();
    private final JobClient client = client(engineOptions);
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
    void aRollbackLeavesNothing() throws SQLException {
        try (Connection own = connection()) {
            JobId id = mail.in(own).push("a");
            own.rollback();
            assertThat(client.find(id)).isEmpty();
        }
        assertThat(client.list(mail.name(), JobState.WAITING, null, 10)).isEmpty();
    }

    @Test
    void aPushedJobIsVisibleFromTheCommitOn() throws SQLException {
        try (Connection own = connection()) {
            JobId id = mail.in(own).push("a");
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
            mail.in(own).push("early in number, late in coming");
            mail.push("another");
            await().until(() -> ran.getCount() == 1);
            own.commit();
        }
        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aLaterPushIntoTheGroupWaitsForTheCallersCommit() throws Exception {
        try (Connection own = connection()) {
            JobId first = orders.in(own).group("g").push("1");
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
    void anEventForAHeldJobIsRefusedSoonAndTakenAfterwards() throws SQLException {
        JobId id = mail.push("a");
        try (Connection own = connection(); Statement statement = own.createStatement()) {
            statement.execute("SELECT FROM " + options.schema() + ".job FOR UPDATE");
            CompletableFuture<EventResult> event = CompletableFuture
                    .supplyAsync(() -> client.event(id, "approval", true), Thread::startVirtualThread);
            await().failFast("It occupies a connection for seconds",
                    () -> Server.count("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                            + " AND query_start < clock_timestamp() - interval '2 s'"
                            + " AND application_name = '" + options.schema() + "'") > 0)
                    .until(event::isDone);
            assertThatThrownBy(event::join).hasMessageContaining("Event approval").hasMessageContaining("try again");
            own.rollback();
        }
        assertThat(client.event(id, "approval", true)).isEqualTo(EventResult.ACCEPTED);
    }

    @Test
    void aSecondPushUnderAKeyIsTheFirstJobInsideATransactionToo() throws SQLException {
        try (Connection own = connection()) {
            JobId first = mail.in(own).dedupe("d").push("a");
            assertThat(mail.in(own).dedupe("d").push("a")).isEqualTo(first);
            assertThatThrownBy(() -> mail.in(own).dedupe("d").push("b")).isInstanceOf(PushRefusedException.class)
                    .hasMessageContaining(first.toString());
            own.commit();
            assertThat(mail.dedupe("d").push("a")).isEqualTo(first);
        }
    }

    @Test
    void theJobOfAUniqueKeyDoesNotStartBeforeTheTransactionThatItAnswered() throws Exception {
        CountDownLatch other = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(1);
        JobId first = mail.unique("k").push("a");
        try (Connection own = connection()) {
            assertThat(mail.in(own).unique("k").push("b")).isEqualTo(first);
            worker.handle(mail, (body, _) -> (body.equals("a") ? ran : other).countDown());
            worker.start();
            mail.push("another");
            assertThat(other.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(client.find(first).orElseThrow().state()).isEqualTo(JobState.WAITING);
            own.commit();
        }
        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aPushUnderAUniqueKeyWaitsForTheTransactionThatUsedIt() throws Exception {
        try (Connection own = connection()) {
            JobId first = mail.in(own).unique("k").push("a");
            CompletableFuture<JobId> later = CompletableFuture.supplyAsync(() -> mail.unique("k").push("b"),
                    Thread::startVirtualThread);
            await().until(() -> Server.count("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                    + " AND application_name = '" + options.schema() + "'") == 1);
            mail.push("not held up");
            own.commit();
            assertThat(later.get(60, TimeUnit.SECONDS)).isEqualTo(first);
        }
    }

    @Test
    void aUniqueKeyIsRefusedWhereTheTransactionDoesNotSeeOthersPushes() throws SQLException {
        try (Connection own = connection()) {
            own.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            assertThatThrownBy(() -> mail.in(own).unique("k").push("a")).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("REPEATABLE READ").hasMessageContaining("READ COMMITTED");
            own.rollback();
        }
    }

    @Test
    void theCallersOwnSettingsStayAsTheyWere() throws SQLException {
        try (Connection own = connection()) {
            String before = new Sql(own, "SELECT current_setting('search_path') || current_setting('lock_timeout')")
                    .list(row -> row.getString(1)).getFirst();
            mail.in(own).push("a");
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
                job.completeIn(own);
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
        StandardQueue<String> quick = client.queue("quick", String.class, AGAIN);
        worker.handle(quick, (_, job) -> {
            try (Connection own = connection()) {
                job.completeIn(own);
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

    /** How a handler leaves its transaction. */
    enum End {
        ROLLED_BACK {
            @Override
            void of(Connection own) throws SQLException {
                own.rollback();
            }
        },
        CLOSED {
            @Override
            void of(Connection own) {
                // the caller closes it
            }
        },
        BROKEN {
            @Override
            void of(Connection own) throws SQLException {
                assertThatThrownBy(() -> own.createStatement().execute("SELECT 1 / 0"))
                        .isInstanceOf(SQLException.class);
                own.commit(); // the driver answers with a rollback
            }
        };

        abstract void of(Connection own) throws SQLException;
    }

    @ParameterizedTest
    @EnumSource
    void aHandlerThatReturnsWithoutACommitHasFailed(End end) {
        AtomicInteger runs = new AtomicInteger();
        StandardQueue<String> quick = client.queue("quick", String.class, AGAIN);
        worker.handle(quick, (_, job) -> {
            try (Connection own = connection()) {
                job.completeIn(own);
                if (runs.incrementAndGet() < 3) {
                    end.of(own);
                } else {
                    own.commit();
                }
            }
        });
        worker.start();
        JobId id = quick.push("a");
        await().until(() -> client.find(id).orElseThrow().state() == JobState.DONE);
        assertThat(runs).hasValue(3);
        JobView view = client.find(id).orElseThrow();
        assertThat(view.failures()).isEqualTo(2);
        assertThat(client.attempts(id).getFirst().failure()).isNotNull().extracting(JobFailure::summary).asString()
                .contains("did not commit").contains("commit after completeIn");
    }

    @Test
    void aJobWhoseTransactionsNeverCommitIsADeadLetterAndItsGroupGoesOn() {
        AtomicReference<@Nullable String> first = new AtomicReference<>();
        FifoQueue<String> steps = client.fifo("steps.fifo", String.class, AGAIN);
        worker.handle(steps, (text, job) -> {
            first.compareAndSet(null, text);
            try (Connection own = connection()) {
                job.completeIn(own);
                if (!text.equals(first.get())) {
                    own.commit();
                }
            }
        });
        List<JobId> ids = steps.pushAll(List.of("one", "two", "three"), _ -> "g");
        worker.start();
        await().until(() -> client.find(ids.getLast()).orElseThrow().state() == JobState.DONE);
        JobView dead = client.find(ids.getFirst()).orElseThrow();
        assertThat(dead.state()).isEqualTo(JobState.DEAD);
        assertThat(Objects.requireNonNull(dead.failure()).summary()).contains("did not commit");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTransactionThatIsOpenWhenTheHandlerReturnsDecidesWhenItEnds(boolean commits) throws Exception {
        BlockingQueue<Connection> open = new LinkedBlockingQueue<>();
        StandardQueue<String> quick = client.queue("quick", String.class, AGAIN);
        worker.handle(quick, (_, job) -> {
            if (job.failures() == 0) {
                Connection own = connection();
                job.completeIn(own);
                open.add(own);
            }
        });
        worker.start();
        JobId id = quick.push("a");
        JobId other = quick.push("b");
        for (int n = 0; n < 2; n++) {
            Connection own = Objects.requireNonNull(open.poll(60, TimeUnit.SECONDS));
            if (commits) {
                own.commit();
            }
            own.close();
        }
        await().until(() -> List.of(id, other).stream()
                .allMatch(each -> client.find(each).orElseThrow().state() == JobState.DONE));
        assertThat(client.find(id).orElseThrow().failures()).isEqualTo(commits ? 0 : 1);
        assertThat(client.find(other).orElseThrow().failures()).isEqualTo(commits ? 0 : 1);
    }

    @Test
    void jobsOfAGroupCompletedInTransactionsRunInOrder() {
        List<String> ran = new CopyOnWriteArrayList<>();
        worker.handle(orders, (text, job) -> {
            ran.add(text);
            try (Connection own = connection()) {
                job.completeIn(own);
                own.commit();
            }
        });
        List<String> all = IntStream.range(0, 25).mapToObj(Integer::toString).toList();
        orders.pushAll(all, _ -> "g");
        worker.start();
        await().until(() -> ran.size() == 25);
        assertThat(ran).isEqualTo(all);
        await().until(() -> client.list(orders.name(), JobState.DONE, null, 100).size() == 25);
        assertThat(client.list(orders.name(), JobState.DONE, null, 100)).as("their run went on")
                .allMatch(job -> job.attempt() == 1);
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
                job.completeIn(own);
                thrown.complete(new AssertionError("it was completed"));
            } catch (LeaseLostException e) {
                thrown.complete(e);
                throw e;
            }
        });
        worker.start();
        JobId id = mail.push("a");
        assertThat(thrown.get(60, TimeUnit.SECONDS)).isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("roll this transaction back");
        await().until(() -> client.find(id).orElseThrow().state() == JobState.DONE);
    }

    @Test
    void aConnectionThatCommitsByItselfIsRefused() throws SQLException {
        try (Connection own = connection()) {
            own.setAutoCommit(true);
            assertThatThrownBy(() -> mail.in(own).push("a"))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("setAutoCommit(false)");
        }
    }

    @Test
    void theWholePushIsPartOfTheTransaction() throws SQLException {
        Instant later = client.now().plus(Duration.ofHours(1));
        List<JobId> ids = new ArrayList<>();
        try (Connection own = connection()) {
            StandardQueue<String> in = mail.in(own);
            ids.add(in.delay(Duration.ofHours(1)).push("delayed"));
            ids.add(in.runAt(later).push("later"));
            ids.add(in.priority(Priority.HIGH).params(Map.of("a", "b")).push("first"));
            ids.add(mail.delay(Duration.ofHours(1)).in(own).push("the other way around"));
            ids.addAll(in.pushAll(List.of("x", "y")));
            ids.addAll(orders.in(own).pushAll(List.of("1", "2"), text -> "g" + text));
            ids.addAll(orders.in(own).group("h").pushAll(List.of("3", "4")));
            assertThat(ids).noneMatch(id -> client.find(id).isPresent());
            own.commit();
        }
        assertThat(ids.stream().map(id -> client.find(id).orElseThrow().state())).hasSize(10)
                .startsWith(JobState.DELAYED, JobState.DELAYED, JobState.WAITING, JobState.DELAYED, JobState.WAITING);
        assertThat(client.find(ids.get(2)).orElseThrow().params()).containsEntry("a", "b");
    }

    @Test
    void aDataSourceThatIsBoundToTheTransactionIsJoinedAndLeftOpen() throws SQLException {
        try (Connection own = connection()) {
            JobId id = mail.in(bound(own)).push("a");
            assertThat(client.find(id)).isEmpty();
            own.commit();
            assertThat(client.find(id)).isPresent();
        }
    }

    @Test
    void aDataSourceWithoutATransactionIsRefusedAndKeepsNothing() throws SQLException {
        PGSimpleDataSource plain = new PGSimpleDataSource();
        plain.setUrl(options.url());
        assertThatThrownBy(() -> mail.in(plain).push("a")).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("commits each statement by itself");
        DataSource opening = source(() -> connection());
        assertThatThrownBy(() -> mail.in(opening).push("a")).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another session").hasMessageContaining("TransactionAwareDataSourceProxy");
        assertThat(client.list(mail.name(), JobState.WAITING, null, 10)).isEmpty();
    }

    @Test
    void nodesAreWokenWhenTheTransactionEnds() throws SQLException {
        try (Connection own = connection()) {
            mail.in(own).push("a");
            orders.in(own).group("g").push("b");
            assertThat(hints).isEmpty();
            own.commit();
        }
        await().until(() -> hints.containsAll(List.of("mail", "orders.fifo")));
    }

    @Test
    void aPushJoinsTheTransactionOfTheThreadAndWakesNodesAfterItsCommit() throws SQLException {
        List<Runnable> afterCommit = new ArrayList<>();
        try (Connection own = connection()) {
            AmbientTransaction framework = new AmbientTransaction() {
                @Override
                public Optional<CallersTransaction> current() {
                    return Optional.of(new CallersTransaction.OnConnection(own));
                }

                @Override
                public void afterCommit(Runnable action) {
                    afterCommit.add(action);
                }
            };
            JobId id = client(engineOptions.withTransaction(framework)).queue("mail", String.class,
                    QueueOptions.STANDARD).push("a");
            assertThat(client.find(id)).isEmpty();
            own.commit();
            assertThat(client.find(id)).isPresent();
        }
        assertThat(hints).isEmpty();
        afterCommit.forEach(Runnable::run);
        assertThat(hints).containsExactly("mail");
    }

    @Test
    void afterAnErrorTheCallersSettingsAreAsTheyWereEvenIfTheTransactionGoesOn() throws SQLException {
        try (Connection own = DriverManager.getConnection(options.url() + "&autosave=always")) {
            own.setAutoCommit(false);
            own.setReadOnly(true);
            String path = path(own);
            assertThatThrownBy(() -> orders.in(own).group("g").push("a")).isInstanceOf(StoreException.class)
                    .hasMessageContaining("roll back");
            assertThat(path(own)).isEqualTo(path);
        }
    }

    @Test
    void aConnectionToAnotherDatabaseIsRefused() throws SQLException {
        try (Connection other = DriverManager.getConnection(options.url().replaceFirst("/[a-z]+[?]", "/template1?"))) {
            other.setAutoCommit(false);
            assertThatThrownBy(() -> mail.in(other).push("a")).isInstanceOf(StoreException.Unusable.class)
                    .hasMessageContaining("does not reach the tables").hasMessageContaining(options.schema());
        }
    }

    private static String path(Connection connection) throws SQLException {
        return new Sql(connection, "SHOW search_path").list(row -> row.getString(1)).getFirst();
    }

    private JobClient client(EngineOptions engine) {
        return new JobClient(postgres.jobs(), postgres.jobViews(), engine, new Bus() {
            @Override
            public void publish(Topic topic, byte[] message) {
                hints.add(new String(message, StandardCharsets.UTF_8));
            }

            @Override
            public void subscribe(Topic topic, Consumer<byte[]> listener) {}
        }, postgres.transactionalJobs(), pushes);
    }

    /** A data source as Spring's: each connection is the same, and closing one ends nothing. */
    private static DataSource bound(Connection own) {
        return source(() -> proxy(Connection.class, (method, arguments) -> method.getName().equals("close")
                ? null
                : method.invoke(own, arguments)));
    }

    private static DataSource source(Callable<Connection> connections) {
        return proxy(DataSource.class, (_, _) -> connections.call());
    }

    private interface Call {
        @Nullable
        Object on(Method method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                (_, method, arguments) -> call.on(method, arguments)));
    }

    private Connection connection() throws SQLException {
        Connection connection = DriverManager.getConnection(options.url().replaceAll("[?&]ApplicationName=[^&]*", ""));
        connection.setAutoCommit(false);
        return connection;
    }
}
