package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.StepReport;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.job.transaction.LeaseLostException;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.Sql;
import dev.orderly.testkit.server.FaultProxy;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.jdbc.PgConnection;

/** Steps whose effect and record are one transaction. */
class TransactionalStepTest {
    private final PostgresOptions options = Server.fresh();
    private final PostgresStore store = PostgresStore.open(options);
    private final Orderly orderly = Orderly.open(store);
    private final StandardQueue<String> orders = orderly.queue("orders", String.class, _ -> QueueOptions.STANDARD
            .withConcurrency(40).withRetry(new RetryPolicy(5, Duration.ofMillis(1), 1, Duration.ofMillis(1), 0)));
    private final AtomicReference<@Nullable String> held = new AtomicReference<>();
    private final String ledger = options.schema() + ".ledger";

    private interface Body {
        void run(Job<String> job) throws Exception;
    }

    @BeforeEach
    void createLedger() {
        Server.run("CREATE TABLE " + ledger + "(entry text)");
    }

    @AfterEach
    void close() {
        orderly.close();
        store.close();
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    /** Runs a job until it is done; the attempts before the last of the bodies fail after theirs. */
    private JobId done(Body... attempts) {
        AtomicInteger calls = new AtomicInteger();
        orderly.handle(orders, (_, job) -> {
            int call = calls.getAndIncrement();
            attempts[call].run(job);
            if (call + 1 < attempts.length) {
                throw new IOException("attempt " + (call + 1) + " ends");
            }
        });
        orderly.start();
        JobId id = orders.push("order");
        awaitDone(id);
        return id;
    }

    private void awaitDone(JobId id) {
        await().until(() -> orderly.jobs().find(id).orElseThrow().state() == JobState.DONE);
    }

    private void book(Connection connection, String entry) throws SQLException {
        new Sql(connection, "INSERT INTO " + ledger + " VALUES(?)").with(entry).update();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static @Nullable String value(Connection connection, String sql) throws SQLException {
        return new Sql(connection, sql).list(row -> Optional.ofNullable(row.getString(1))).getFirst().orElse(null);
    }

    private List<String> ledger() throws SQLException {
        try (Connection own = DriverManager.getConnection(options.url())) {
            return new Sql(own, "SELECT entry FROM " + ledger + " ORDER BY entry").list(row -> row.getString(1));
        }
    }

    @Test
    void theEffectOfAStepTakesPlaceOnce() throws SQLException {
        Body booking = job -> assertThat(job.step("book", Integer.class, connection -> {
            book(connection, "a");
            assertThat(ledger()).as("before the commit").isEmpty();
            return 7;
        })).isEqualTo(7);
        JobId id = done(booking, booking, booking);
        assertThat(ledger()).containsExactly("a");
        assertThat(orderly.jobs().steps(id)).extracting(JobStep::name).containsExactly("book");
    }

    @Test
    void workThatThrowsLeavesNeitherEffectNorRecord() throws SQLException {
        JobId id = done(job -> job.step("book", connection -> {
            book(connection, "a");
            throw new IOException("after the effect");
        }), job -> {
            assertThat(orderly.jobs().steps(job.id())).isEmpty();
            assertThat(ledger()).isEmpty();
            job.step("book", connection -> book(connection, "b"));
        });
        assertThat(ledger()).containsExactly("b");
        assertThat(orderly.jobs().steps(id)).hasSize(1);
    }

    @Test
    void anErrorOfTheDatabaseThatTheWorkHidesEndsTheStep() throws SQLException {
        JobId id = done(job -> assertThatThrownBy(() -> job.step("book", connection -> {
            book(connection, "a");
            assertThatThrownBy(() -> book(connection, "\0")).isInstanceOf(SQLException.class);
        })).isInstanceOf(StoreException.class));
        assertThat(ledger()).isEmpty();
        assertThat(orderly.jobs().steps(id)).isEmpty();
    }

    @Test
    void aStaleAttemptRollsItsEffectBack() throws SQLException {
        BlockingQueue<Throwable> told = new LinkedBlockingQueue<>();
        JobId id = done(job -> {
            try {
                job.step("book", connection -> {
                    book(connection, "a");
                    store.jobs().upkeep(new UpkeepRequest(Duration.ofSeconds(-1), 3, Map.of(), Retention.DEFAULT, 100),
                            orderly.jobs().now());
                });
            } catch (LeaseLostException e) {
                told.add(e);
            }
        }, _ -> {});
        assertThat(told).hasSize(1);
        assertThat(ledger()).isEmpty();
        assertThat(orderly.jobs().steps(id)).isEmpty();
    }

    @Test
    void theWorkCanNeitherEndNorCloseItsTransaction() throws SQLException {
        done(job -> job.step("book", connection -> {
            book(connection, "a");
            for (Body end : List.<Body>of(_ -> connection.commit(), _ -> connection.rollback(),
                    _ -> connection.setAutoCommit(true), _ -> connection.abort(Runnable::run))) {
                assertThatThrownBy(() -> end.run(job)).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("Step book").hasMessageContaining("return, and the step commits");
            }
            connection.rollback(connection.setSavepoint());
            connection.close(); // as frameworks do
            book(connection, "b");
        }));
        assertThat(ledger()).containsExactly("a", "b");
    }

    @Test
    void handlersThatHoldTheirConnectionsKeepNoCallOfTheStoreWaiting() throws Exception {
        CountDownLatch held = new CountDownLatch(32);
        CountDownLatch others = new CountDownLatch(1);
        orderly.handle(orders, (text, job) -> job.step("book", connection -> {
            book(connection, text);
            held.countDown();
            others.await();
        }));
        StandardQueue<String> mails = orderly.queue("mails", String.class);
        orderly.handle(mails, (_, _) -> {});
        orderly.start();
        List<JobId> holding = orders.pushAll(IntStream.range(0, 34).mapToObj(n -> "order " + n).toList());
        held.await();
        awaitDone(mails.push("beside them"));
        others.countDown();
        holding.forEach(this::awaitDone);
        assertThat(ledger()).hasSize(34);
    }

    @Test
    void stepsUseTheConnectionsOfAnApplicationThatHasGivenThem() throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(options.url());
        try (PostgresStore shared = PostgresStore.open(options, source); Orderly other = Orderly.open(shared)) {
            StandardQueue<String> queue = other.queue("shared", String.class);
            other.handle(queue, (text, job) -> job.step("book", connection -> book(connection, text)));
            other.start();
            JobId id = queue.push("a");
            await().until(() -> other.jobs().find(id).orElseThrow().state() == JobState.DONE);
        }
        assertThat(ledger()).containsExactly("a");
    }

    @Test
    void aStepWhoseCommitWasNotAnsweredTakesPlaceOnceThoughTheHandlerTriesItAgain() throws SQLException {
        JobId id = done(job -> {
            AttemptId attempt = new AttemptId(job.id(), job.queueName(), job.attempt());
            store.jobs().keep(new StepReport(null, attempt, "book", null), orderly.jobs().now()); // as that commit did
            assertThatThrownBy(() -> job.step("book", connection -> book(connection, "twice")))
                    .isInstanceOf(IllegalStateException.class).hasMessageContaining("kept already");
        }, job -> job.step("book", connection -> book(connection, "thrice")));
        assertThat(ledger()).isEmpty();
        assertThat(orderly.jobs().steps(id)).hasSize(1);
    }

    @Test
    void aStepFindsTheSettingsOfTheStoresUserWhateverAnEarlierOneHasLeft() {
        done(job -> {
            job.step("worst", connection -> {
                connection.setSchema("elsewhere");
                execute(connection, "SET search_path TO elsewhere; SET statement_timeout = '10min';"
                        + " SET idle_in_transaction_session_timeout = 0; SELECT pg_advisory_lock(77);"
                        + " CREATE TEMP TABLE left_behind(a int); SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY,"
                        + " ISOLATION LEVEL SERIALIZABLE");
                held.set(value(connection, "SELECT pg_backend_pid()::text"));
            });
            job.step("next", connection -> {
                assertThat(value(connection, "SELECT pg_backend_pid()::text")).isEqualTo(held.get());
                assertThat(value(connection, "SHOW search_path")).isEqualTo("\"$user\", public");
                assertThat(value(connection, "SHOW statement_timeout")).isEqualTo("0");
                assertThat(value(connection, "SHOW idle_in_transaction_session_timeout")).isEqualTo("30s");
                assertThat(value(connection, "SHOW transaction_read_only")).isEqualTo("off");
                assertThat(value(connection, "SHOW transaction_isolation")).isEqualTo("read committed");
                assertThat(value(connection, "SHOW application_name")).isEqualTo(options.schema());
                assertThat(value(connection, "SELECT count(*)::text FROM pg_locks WHERE locktype = 'advisory'"
                        + " AND pid = pg_backend_pid()")).isEqualTo("0");
                assertThat(value(connection, "SELECT to_regclass('left_behind')::text")).isNull();
            });
        });
    }

    @Test
    void aStepWhoseServerFallsSilentGivesItsThreadAndItsConnectionBack() throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        try (FaultProxy network = new FaultProxy(Server.port())) {
            String far = options.url().replace(":" + Server.port() + "/", ":" + network.port() + "/");
            source.setUrl(far);
            try (StepTransactions own = new StepTransactions(PostgresOptions.at(far), null);
                    StepTransactions callers = new StepTransactions(options, source)) {
                for (StepTransactions steps : List.of(own, callers)) {
                    assertThatThrownBy(() -> steps.run(connection -> {
                        network.blackHole();
                        return value(connection, "SELECT 1");
                    }, Duration.ofMillis(500))).isInstanceOf(SQLException.class);
                    network.pass();
                    assertThat(steps.<@Nullable String, SQLException>run(connection -> value(connection, "SELECT 2"),
                            Duration.ofMinutes(1)))
                            .isEqualTo("2");
                }
            }
        }
    }

    @Test
    void aCommitThatTheServerRefusesIsKnownToBeUndone() throws SQLException {
        Server.run("ALTER TABLE " + ledger + " ADD UNIQUE(entry) DEFERRABLE INITIALLY DEFERRED");
        done(job -> assertThatThrownBy(() -> job.step("book", connection -> {
            book(connection, "a");
            book(connection, "a");
        })).isInstanceOf(StoreException.Unavailable.class).hasMessageContaining("duplicate key"),
                job -> job.step("book", connection -> book(connection, "b")));
        assertThat(ledger()).containsExactly("b");
    }

    @Test
    void workThatEndsItsTransactionBehindTheStepsBackIsToldSoAndKeepsNoStep() {
        JobId id = done(job -> {
            for (String end : List.of("COMMIT", "ROLLBACK", "COMMIT; BEGIN")) {
                assertThatThrownBy(() -> job.step("book", connection -> execute(connection, end)))
                        .isInstanceOf(IllegalStateException.class).hasMessageContaining("step book")
                        .hasMessageContaining("has ended its transaction");
            }
            assertThatThrownBy(() -> job.step("book", connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.getConnection().rollback();
                }
            })).isInstanceOf(IllegalStateException.class);
        });
        assertThat(orderly.jobs().steps(id)).isEmpty();
    }

    @Test
    void aConnectionThatTheWorkBreaksIsOfNoLaterStep() throws SQLException {
        done(job -> {
            for (int n = 0; n < 3; n++) {
                assertThatThrownBy(() -> job.step("close", connection -> {
                    book(connection, "closed");
                    connection.unwrap(PgConnection.class).close();
                })).isInstanceOf(StoreException.class);
                assertThatThrownBy(() -> job.step("kill",
                        connection -> execute(connection, "SELECT pg_terminate_backend(pg_backend_pid())")))
                        .isInstanceOf(SQLException.class);
                assertThatThrownBy(() -> job.step("error", connection -> {
                    book(connection, "error");
                    throw new StackOverflowError("of the work");
                })).isInstanceOf(StackOverflowError.class);
                String name = "fine-" + n;
                job.step(name, connection -> book(connection, name));
            }
        });
        assertThat(ledger()).containsExactly("fine-0", "fine-1", "fine-2");
    }

    @Test
    void aConnectionOfAStepEqualsItselfAlone() {
        done(job -> job.step("look", connection -> {
            assertThat(connection.equals(connection)).isTrue();
            assertThat(connection.equals(connection.unwrap(Connection.class))).isFalse();
        }));
    }

    @Test
    void aJobIsNotCompletedInsideAStep() throws SQLException {
        JobId id = done(job -> job.step("book", connection -> {
            book(connection, "a");
            assertThatThrownBy(() -> job.completeIn(connection)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("inside step book").hasMessageContaining("in place of the step");
        }));
        assertThat(ledger()).containsExactly("a");
        assertThat(orderly.jobs().steps(id)).hasSize(1);
    }

    /** A pool without a connection for one thread, for some times. */
    private static final class EmptyPool extends PGSimpleDataSource {
        private final AtomicInteger refusals = new AtomicInteger(3);
        private volatile @Nullable Thread refused;

        @Override
        public Connection getConnection() throws SQLException {
            if (Thread.currentThread().equals(refused) && refusals.getAndDecrement() > 0) {
                throw new SQLTransientConnectionException("All connections are in use");
            }
            return super.getConnection();
        }
    }

    @Test
    void aStepWaitsForAConnectionOfThePoolOfTheApplication() throws SQLException {
        EmptyPool source = new EmptyPool();
        source.setUrl(options.url());
        try (PostgresStore shared = PostgresStore.open(options, source); Orderly other = Orderly.open(shared)) {
            StandardQueue<String> queue = other.queue("shared", String.class);
            other.handle(queue, (text, job) -> {
                source.refused = Thread.currentThread();
                job.step("book", connection -> {
                    assertThat(value(connection, "SHOW idle_in_transaction_session_timeout"))
                            .as("bounded as in the store's own pool").isEqualTo("30s");
                    book(connection, text);
                });
                source.refused = null;
            });
            other.start();
            JobId id = queue.push("a");
            await().until(() -> other.jobs().find(id).orElseThrow().state() == JobState.DONE);
            assertThat(other.jobs().find(id).orElseThrow().failures()).isZero();
        }
        assertThat(source.refusals).hasNonPositiveValue();
        assertThat(ledger()).containsExactly("a");
    }
}
