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
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.job.transaction.LeaseLostException;
import dev.orderly.store.StoreException;
import dev.orderly.store.postgres.sql.Sql;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Steps whose effect and record are one transaction. */
class TransactionalStepTest {
    private final PostgresOptions options = Server.fresh();
    private final PostgresStore store = PostgresStore.open(options);
    private final Orderly orderly = Orderly.open(store);
    private final StandardQueue<String> orders = orderly.queue("orders", String.class, _ -> QueueOptions.STANDARD
            .withConcurrency(40).withRetry(new RetryPolicy(5, Duration.ofMillis(1), 1, Duration.ofMillis(1), 0)));
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
}
