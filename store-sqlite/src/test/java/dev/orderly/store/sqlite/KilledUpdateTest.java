package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The update of a file of 0.1.0 whose process is killed, further on each time. {@code -Dorderly.killed.jobs=200000}
 * takes more rows.
 */
@Tag("slow")
class KilledUpdateTest {
    private static final int JOBS = Integer.getInteger("orderly.killed.jobs", 20_000);
    private static final Path RELEASED = Path.of(System.getProperty("basedir", "."))
            .resolve("../server/src/test/resources/dev/orderly/compatibility/0.1.0");
    private static final QueueName MAILS = new QueueName("mails");
    /** Parts of what the update writes. */
    private static final int KILLS = 4;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void aFileWhoseUpdateIsKilledIsUpdatedByTheNextStartAndLosesNothing() throws Exception {
        Path file = copy("whole");
        SqliteStore.at(file).close();
        long written = Files.size(file) / 2;
        Path killed = copy("killed");
        int kills = 0;
        for (int part = 0; part < KILLS; part++) {
            long until = written * part / KILLS;
            try (ChildProcess child = ChildProcess.start(ChildProcess.java(ChildProcess.FAST_START,
                    Opener.class.getName(), killed.toString()), builder -> builder)) {
                Awaitility.await().pollInterval(Duration.ofMillis(1)).atMost(Duration.ofMinutes(1))
                        .until(() -> !child.isAlive() || log(killed) > until);
                kills += child.isAlive() ? 1 : 0;
                child.kill();
            }
            assertThat(Places.integrity(Places.asKilled(killed, folder))).isEqualTo("ok");
        }
        assertThat(kills).as("processes that were killed before they had done").isPositive();
        try (SqliteStore store = SqliteStore.at(killed); SqliteStore whole = SqliteStore.at(file)) {
            assertThat(store.jobViews().queues()).isEqualTo(whole.jobViews().queues());
            assertThat(store.jobViews().queues().stream().filter(view -> view.queue().equals(MAILS)))
                    .singleElement().satisfies(view -> assertThat(view.waiting() + view.dead()).isEqualTo(JOBS + 3L));
            assertThat(store.jobViews().list(MAILS, JobState.DEAD, null, 100))
                    .isEqualTo(whole.jobViews().list(MAILS, JobState.DEAD, null, 100));
        }
    }

    private static long log(Path file) throws IOException {
        Path log = Path.of(file + "-wal");
        return Files.exists(log) ? Files.size(log) : -1;
    }

    /** A file of 0.1.0 with many more jobs, most of them dead letters. */
    private Path copy(String name) throws IOException, SQLException {
        Path own = Files.createDirectory(folder.resolve(name));
        for (String each : new String[]{"orderly.db", "orderly.db-running"}) {
            Files.copy(RELEASED.resolve(each), own.resolve(each));
        }
        Path file = own.resolve("orderly.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    WITH RECURSIVE number(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM number WHERE n < %d)
                    INSERT INTO job(seq, queue, lane, state, ready_at, failure, failure_detail, content_type, payload)
                    SELECT last + n, 2, 2, iif(n %% 10 < 6, 2, 0), iif(n %% 10 < 6, 1763800000000, NULL), 'no', '',
                      'text/plain', printf('%%.200c', 'x') FROM number, (SELECT max(seq) AS last FROM job)"""
                    .formatted(JOBS));
        }
        return file;
    }

    /** A process that updates a file. */
    static final class Opener {
        private Opener() {}

        public static void main(String[] arguments) {
            SqliteStore.at(Path.of(arguments[0])).close();
        }
    }
}
