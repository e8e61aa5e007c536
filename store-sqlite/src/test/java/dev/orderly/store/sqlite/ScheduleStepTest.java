package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.Declared;
import dev.orderly.job.store.NewJob;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStep;
import dev.orderly.store.StoreException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A step and its job are stored atomically, whichever of them the file refuses. */
class ScheduleStepTest {
    private static final QueueName REPORTS = new QueueName("reports");
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    private Path folder;

    @Test
    void aStepWhoseJobCannotBeStoredIsNotTaken() throws SQLException {
        neitherIsThereAfter("CREATE TRIGGER refuse BEFORE INSERT ON job BEGIN SELECT raise(ABORT, 'no'); END");
    }

    @Test
    void aJobWhoseStepCannotBeStoredIsNotPushed() throws SQLException {
        neitherIsThereAfter("CREATE TRIGGER refuse BEFORE INSERT ON schedule WHEN new.version > 1"
                + " BEGIN SELECT raise(ABORT, 'no'); END");
    }

    private void neitherIsThereAfter(String trigger) throws SQLException {
        Path file = folder.resolve("orderly.db");
        SqliteStore.at(file).close();
        execute(file, trigger);
        ScheduleStep step = new ScheduleStep.Fire(NOON.plusSeconds(60), new NewJob(REPORTS, null, Priority.NORMAL, null,
                Payload.json("{}"), Map.of(), null, null, null));
        try (SqliteStore store = SqliteStore.at(file)) {
            ScheduleState declared = store.schedules().declare(new ScheduleName("report"),
                    Declared.anew("every minute UTC", new NodeId("node")), NOON);
            assertThatThrownBy(() -> store.schedules().take(declared, step, NOON)).isInstanceOf(StoreException.class);
            assertThat(store.schedules().states()).containsExactly(declared);
            assertThat(store.jobViews().list(REPORTS, JobState.WAITING, null, 10)).isEmpty();
        }
        execute(file, "DROP TRIGGER refuse");
        try (SqliteStore store = SqliteStore.at(file)) {
            ScheduleState kept = store.schedules().states().getFirst();
            assertThat(store.schedules().take(kept, step, NOON)).isPresent();
            assertThat(store.jobViews().list(REPORTS, JobState.WAITING, null, 10)).hasSize(1);
        }
    }

    private static void execute(Path file, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
