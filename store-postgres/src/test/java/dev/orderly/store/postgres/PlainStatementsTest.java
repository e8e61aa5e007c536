package dev.orderly.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What a queue without a limit and without keys costs: its statements, and the functions that they call. */
class PlainStatementsTest {
    private static final QueueName MAILS = new QueueName("mails");
    private static final NodeId NODE = new NodeId("node");
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final int HEAD = 90;

    private final PostgresOptions options = Server.fresh();
    private final List<String> statements = new CopyOnWriteArrayList<>();
    private final Thread caller = Thread.currentThread();

    @AfterEach
    void drop() {
        Server.run("DROP SCHEMA IF EXISTS " + options.schema() + " CASCADE");
    }

    /**
     * Connections that record the statements of the test, without those of background loops, and that count calls of
     * functions.
     */
    private final class Recording extends PGSimpleDataSource {
        private static final long serialVersionUID = 1;

        Recording() {
            setUrl(options.url());
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection real = super.getConnection();
            try (Statement statement = real.createStatement()) {
                statement.execute("SET track_functions = 'all'");
            }
            return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
                    new Class<?>[]{Connection.class}, (_, method, arguments) -> {
                        if (method.getName().equals("prepareStatement") && Thread.currentThread().equals(caller)) {
                            statements.add(((String) arguments[0]).replaceAll("\\s+", " ").strip());
                        }
                        try {
                            return method.invoke(real, arguments);
                        } catch (InvocationTargetException e) {
                            throw Objects.requireNonNull(e.getCause());
                        }
                    });
        }
    }

    private String sent(String call, Runnable work) {
        statements.clear();
        work.run();
        // Statements that begin a session are left out: this data source opens a session for each call.
        return statements.stream()
                .filter(text -> !text.contains(", false)") && !text.contains("pg_postmaster_start_time"))
                .map(text -> call + ": " + text.substring(0, Math.min(HEAD, text.length())).strip())
                .collect(Collectors.joining("\n"));
    }

    private static NewJob job() {
        return new NewJob(MAILS, null, Priority.NORMAL, null, Payload.text("x"), Map.of(), null, null, null);
    }

    private static List<ClaimedJob> claim(PostgresStore store) {
        return store.jobs().claim(new ClaimRequest(NODE, List.of(new Demand(MAILS, 3))), NOW).jobs();
    }

    private static void settle(PostgresStore store, List<ClaimedJob> jobs) {
        store.jobs().settle(jobs.stream()
                .map(job -> new Settlement(NODE, job.attempt(), new AttemptOutcome.Done(null))).toList(), NOW);
    }

    @Test
    void aQueueWithoutLimitsSendsTheStatementsThatItSentBeforeThereWereAny() throws IOException {
        List<String> log;
        try (PostgresStore store = PostgresStore.open(options, new Recording())) {
            store.jobs().beat(NODE);
            store.jobs().push(List.of(job()), NOW); // the queue is known from here on
            settle(store, claim(store));
            List<ClaimedJob> claimed = new CopyOnWriteArrayList<>();
            log = List.of(sent("push", () -> store.jobs().push(List.of(job()), NOW)),
                    sent("push of many", () -> store.jobs().push(IntStream.range(0, 2).mapToObj(_ -> job()).toList(),
                            NOW)),
                    sent("claim", () -> claimed.addAll(claim(store))),
                    sent("settlement", () -> settle(store, claimed)),
                    sent("claim of nothing", () -> assertThat(claim(store)).isEmpty()));
            assertThat(claimed).hasSize(3);
        }
        String calls = "SELECT count(*) FROM pg_stat_user_functions WHERE schemaname = '" + options.schema() + "'";
        await().until(() -> Server.count(calls + " AND funcname = 'job_claim' AND calls >= 3") == 1);
        assertThat(
                Server.count(calls + " AND (funcname LIKE 'key%' OR funcname LIKE '%keyed' OR funcname LIKE 'limit%')"))
                .as("functions of keys and limits that were called").isZero();
        try (InputStream golden = Objects.requireNonNull(
                PlainStatementsTest.class.getResourceAsStream("plain-statements.txt"))) {
            assertThat(log.stream().collect(Collectors.joining("\n", "", "\n"))).isEqualTo(
                    new String(golden.readAllBytes(), StandardCharsets.UTF_8).lines()
                            .filter(line -> !line.startsWith("#"))
                            .collect(Collectors.joining("\n", "", "\n")));
        }
    }
}
