package dev.orderly.store.postgres.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.Bus;
import dev.orderly.store.postgres.PostgresOptions;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.testkit.server.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server whose queue of notifications, which all its databases share, is full. */
@Tag("slow") // a server of its own
class FullNotificationsTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final NewJob JOB = new NewJob(MAIL, null, Priority.NORMAL, null, Payload.text("a"), Map.of(), null,
            null, null);

    @Test
    void pushesSucceedWithoutTheirHints() throws SQLException {
        try (PostgresServer server = PostgresServer.start("fsync=off", "max_notify_queue_pages=64");
                PostgresStore store = PostgresStore
                        .open(PostgresOptions.at(server.url()).withSchema("full_notifications").withConnections(4));
                LogLines log = LogLines.of("dev.orderly.store.postgres");
                Connection forgotten = DriverManager.getConnection(server.url());
                Statement statement = forgotten.createStatement()) {
            store.jobs().push(List.of(JOB), Instant.EPOCH);
            statement.execute("LISTEN anything");
            statement.execute("BEGIN; SELECT 1");
            assertThatThrownBy(() -> fill(server)).hasMessageContaining("too many notifications");
            assertThat(store.bus().fault()).isEmpty();
            int[] pushed = {1};
            // a push has a hint while the bus is idle
            await().until(() -> {
                store.jobs().push(List.of(JOB), Instant.EPOCH);
                pushed[0]++;
                return store.bus().fault().isPresent();
            });
            for (int n = 0; n < 20; n++) {
                store.jobs().push(List.of(JOB), Instant.EPOCH);
                store.bus().publish(Bus.Topic.LIVE, new byte[]{1});
                pushed[0]++;
            }
            assertThat(store.jobViews().queues().getFirst().waiting()).isEqualTo(pushed[0]);
            assertThat(log.with("queue of notifications")).hasSize(1);
            assertThat(log.events()).hasSize(1);
        }
    }

    private static void fill(PostgresServer server) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url());
                Statement statement = connection.createStatement()) {
            for (int n = 0; n < 10_000; n++) {
                statement.execute("SELECT pg_notify('somebody', repeat('x', 7000) || " + n + ")");
            }
        }
    }
}
