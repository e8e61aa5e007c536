package dev.orderly.store.postgres.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.Server;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.time.Time;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The session of an update that lasts, and that loses its connection. */
class MigrationSessionTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final PostgresOptions options = Server.fresh();

    /** A clock on which ten seconds last a tenth of one. */
    private static final class QuickTime implements Time {
        private final Time system = Time.system();

        @Override
        public Instant now() {
            return system.now();
        }

        @Override
        public long nanos() {
            return system.nanos() * 100;
        }

        @Override
        public void park(long deadline) {
            system.park(deadline / 100);
        }
    }

    private MigrationSession begun() throws SQLException {
        MigrationSession session = MigrationSession.open(_ -> DriverManager.getConnection(options.url()),
                Objects.requireNonNull(options.schema()), new QuickTime());
        assertThat(session.begin(_ -> false)).isTrue();
        return session;
    }

    private static int pid(MigrationSession session) throws SQLException {
        return (int) new Sql(session.connection(), "SELECT pg_backend_pid()").number();
    }

    private static long sessions(int pid) {
        return Server.count("SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid);
    }

    @Test
    void whatASessionDoesIsInTheLogFromTimeToTime() throws Exception {
        try (LogLines log = LogLines.of(MigrationSession.class.getName(), Level.INFO);
                MigrationSession session = begun()) {
            int pid = pid(session);
            session.report("11 of 15, rows of job, 43 %");
            await().atMost(PATIENCE).until(() -> log.with("by this node: session " + pid).stream()
                    .anyMatch(line -> line.endsWith("orderly update: 11 of 15, rows of job, 43 %")));
        }
    }

    @Test
    void aConnectionWhoseSessionIsGoneIsGivenUp() throws Exception {
        try (MigrationSession session = begun()) {
            Server.run("SELECT pg_terminate_backend(" + pid(session) + ")");
            await().atMost(PATIENCE).until(() -> session.connection().isClosed());
        }
    }

    /** As on a server whose operating system cannot say that the client is gone. */
    @Test
    void aSessionWhoseConnectionWasLostIsEndedInTheServer() throws Exception {
        MigrationSession session = begun();
        int pid = pid(session);
        CompletableFuture<Void> work = CompletableFuture.runAsync(() -> {
            try (session) {
                session.alone(connection -> {
                    new Sql(connection, "SELECT set_config('client_connection_check_interval', '0', false)")
                            .list(_ -> true);
                    new Sql(connection, "SELECT pg_sleep(3600)").list(_ -> true);
                });
            } catch (SQLException expected) {
                assertThat(expected.getMessage()).isNotBlank();
            }
        }, task -> Thread.ofPlatform().start(task));
        await().atMost(PATIENCE).until(() -> Server.count("SELECT count(*) FROM pg_stat_activity WHERE pid = " + pid
                + " AND wait_event = 'PgSleep'") == 1);
        session.connection().abort(Runnable::run);
        work.join();
        await().atMost(PATIENCE).until(() -> sessions(pid) == 0);
    }
}
