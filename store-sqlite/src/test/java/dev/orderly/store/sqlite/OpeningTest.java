package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.access.store.AuditQuery;
import dev.orderly.access.store.Credentials;
import dev.orderly.job.JobId;
import dev.orderly.job.JobTerms;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpeningTest {
    private static final QueueName MAIL = new QueueName("mail");
    private static final NodeId NODE = new NodeId("node");
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path folder;

    @Test
    void aMissingFolderIsCreated() {
        Path file = folder.resolve("a/b/orderly.db");
        SqliteStore.at(file).close();
        assertThat(file).exists();
    }

    @Test
    void aSecondOpenIsRefusedUntilTheFirstIsClosed() {
        Path file = folder.resolve("orderly.db");
        try (SqliteStore first = SqliteStore.at(file)) {
            assertThat(first.name()).isEqualTo("sqlite:" + file.toAbsolutePath());
            assertThatThrownBy(() -> SqliteStore.at(file)).isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("orderly.db").hasMessageContaining("stop that one");
        }
        SqliteStore.at(file).close();
    }

    @Test
    void aSecondProcessIsRefused() {
        Path file = folder.resolve("orderly.db");
        try (SqliteStore first = SqliteStore.at(file)) {
            ChildProcess.Ended second = ChildProcess
                    .run(ChildProcess.java(ChildProcess.FAST_START, Opener.class.getName(), file.toString()));
            assertThat(second.exitCode()).as(second.out()).isEqualTo(Opener.REFUSED);
            assertThat(second.out()).contains(first.name().substring("sqlite:".length()));
        }
    }

    /** Another process that opens the same file. */
    static final class Opener {
        static final int REFUSED = 3;

        private Opener() {}

        public static void main(String[] arguments) {
            try {
                SqliteStore.at(Path.of(arguments[0])).close();
            } catch (StoreException.Unavailable e) {
                System.out.println(e.getMessage());
                System.exit(REFUSED);
            }
        }
    }

    @Test
    void aNewerSchemaIsRefused() throws SQLException {
        Path file = folder.resolve("orderly.db");
        SqliteStore.at(file).close();
        execute(file, "UPDATE meta SET value = 99 WHERE name = 'schema'");
        assertThatThrownBy(() -> SqliteStore.at(file)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("version 99").hasMessageContaining("newer Orderly");
    }

    @Test
    void aFileOfAnOlderSchemaIsMigrated() throws SQLException {
        Path file = folder.resolve("orderly.db");
        JobId pushed;
        try (SqliteStore before = SqliteStore.at(file)) {
            pushed = before.jobs().push(List.of(new NewJob(MAIL, null, Priority.NORMAL, null, Payload.text("x"),
                    Map.of(), null, null, null)), NOW).getFirst().id();
        }
        execute(file, "DROP VIEW waiting");
        execute(file, "DROP VIEW settled_entry");
        execute(file, "DROP TABLE lane_index");
        execute(file, "DROP TABLE tombstone");
        execute(file, "DELETE FROM meta WHERE name = 'merged'");
        execute(file, "CREATE INDEX waiting ON job(queue, lane) WHERE state = 0");
        for (String table : List.of("schedule", "token", "session", "audit", "lease", "key_value", "minute", "hour")) {
            execute(file, "DROP TABLE " + table);
        }
        execute(file, "DROP INDEX dead_error");
        execute(file, "DROP INDEX halting");
        execute(file, "ALTER TABLE job DROP COLUMN error");
        execute(file, "DROP INDEX expiring");
        execute(file, "DROP INDEX unique_job");
        execute(file, "ALTER TABLE job DROP COLUMN expires_at");
        execute(file, "ALTER TABLE job DROP COLUMN unique_key");
        dropKeyIndex(file);
        execute(file, "DROP INDEX keyed_delayed");
        execute(file, "ALTER TABLE job DROP COLUMN flow_key");
        execute(file, "ALTER TABLE queue DROP COLUMN key_limit");
        execute(file, "DROP TABLE key_window");
        execute(file, "DROP TABLE flow_rest");
        execute(file, "DROP TABLE key_setting");
        execute(file, "DROP TABLE job_step");
        execute(file, "DROP TABLE job_event");
        execute(file, "DROP TABLE user_place");
        dropBatches(file);
        execute(file, "ALTER TABLE job DROP COLUMN lone_crashes");
        execute(file, "ALTER TABLE job DROP COLUMN trace");
        execute(file, "ALTER TABLE job DROP COLUMN history");
        execute(file, "ALTER TABLE job DROP COLUMN origin");
        execute(file, "ALTER TABLE ended DROP COLUMN history");
        execute(file, "ALTER TABLE ended DROP COLUMN origin");
        execute(file, "ALTER TABLE ended DROP COLUMN started_at");
        execute(file, "ALTER TABLE ended DROP COLUMN trace");
        execute(file, "ALTER TABLE queue DROP COLUMN halts");
        execute(file, "ALTER TABLE voided DROP COLUMN moved_to");
        execute(file, "DROP TABLE copied_key");
        execute(file, "DROP TABLE kept_key");
        execute(file, "DROP TABLE cancellation");
        execute(file, "ALTER TABLE queue DROP COLUMN forgotten");
        execute(file, "ALTER TABLE queue DROP COLUMN flow_limit");
        execute(file, "ALTER TABLE room DROP COLUMN openings");
        for (String column : List.of("draws", "lobby_open", "lobby_base", "lobby_end", "drawn", "tiers", "lobby_bases",
                "lobby_ends")) {
            execute(file, "ALTER TABLE room DROP COLUMN " + column);
        }
        execute(file, "DROP TABLE lobby");
        execute(file, "DROP TABLE flow_limit");
        execute(file, "UPDATE meta SET value = 2 WHERE name = 'schema'");
        try (SqliteStore updated = SqliteStore.at(file)) {
            assertThat(updated.schedules().states()).isEmpty();
            assertThat(updated.credentials().read()).isEqualTo(Credentials.NONE);
            assertThat(updated.audit().list(AuditQuery.newest(1))).isEmpty();
            updated.jobs().beat(NODE);
            assertThat(updated.jobViews().attempts(pushed)).isEmpty();
            assertThat(updated.jobViews().queues()).extracting(QueueView::waiting).containsExactly(1L);
            assertThat(updated.jobs().claim(new ClaimRequest(NODE, List.of(new ClaimRequest.Demand(MAIL, 10))), NOW)
                    .jobs()).extracting(ClaimedJob::id).containsExactly(pushed);
        }
    }

    @Test
    void theJobsOfKeysInAFileOfAnOlderSchemaAreFoundByTheirKeys() throws SQLException {
        Path file = folder.resolve("orderly.db");
        List<JobId> pushed;
        try (SqliteStore before = SqliteStore.at(file)) {
            pushed = before.jobs()
                    .push(Stream.of("a", "b", "a").map(key -> new NewJob(MAIL, null, Priority.NORMAL, null,
                            Payload.text("x"), Map.of(), null, null, null).on(JobTerms.NONE.withKey(key), null))
                            .toList(), NOW)
                    .stream().map(PushResult::id).toList();
        }
        execute(file, "UPDATE meta SET value = (SELECT max(seq) - 1 FROM job) WHERE name = 'merged'");
        dropKeyIndex(file);
        execute(file, "CREATE INDEX keyed ON job(queue, flow_key, lane, seq) WHERE flow_key IS NOT NULL AND state = 0");
        execute(file, "UPDATE meta SET value = value - 1 WHERE name = 'schema'");
        try (SqliteStore updated = SqliteStore.at(file)) {
            updated.jobs().beat(NODE);
            assertThat(updated.jobViews().pending(MAIL, Set.of("a", "b"), 10)).isEqualTo(Map.of("a", 2, "b", 1));
            assertThat(updated.jobs().claim(new ClaimRequest(NODE, List.of(new ClaimRequest.Demand(MAIL, 10))), NOW)
                    .jobs()).extracting(ClaimedJob::id).containsExactlyInAnyOrderElementsOf(pushed);
        }
    }

    private static void dropKeyIndex(Path file) throws SQLException {
        execute(file, "DROP VIEW waiting_of_key");
        execute(file, "DROP INDEX keyed");
        execute(file, "ALTER TABLE job DROP COLUMN key_indexed");
    }

    @Test
    void aDatabaseOfAnotherProgramIsRefused() throws SQLException {
        Path file = folder.resolve("other.db");
        execute(file, "CREATE TABLE songs(title TEXT)");
        assertThatThrownBy(() -> SqliteStore.at(file)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("another program");
    }

    @Test
    void aFileThatIsNotADatabaseIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("notes.txt"), "Buy milk. ".repeat(500));
        assertThatThrownBy(() -> SqliteStore.at(file)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("notes.txt").hasMessageContaining("not a SQLite database");
    }

    @Test
    void aRefusedOpenLeavesNothingLocked() throws SQLException {
        Path file = folder.resolve("orderly.db");
        SqliteStore.at(file).close();
        execute(file, "UPDATE meta SET value = value + 99 WHERE name = 'schema'");
        assertThatThrownBy(() -> SqliteStore.at(file)).isInstanceOf(StoreException.Unusable.class);
        execute(file, "UPDATE meta SET value = value - 99 WHERE name = 'schema'");
        SqliteStore.at(file).close();
    }

    private static void execute(Path file, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void dropBatches(Path file) throws SQLException {
        execute(file, "DROP VIEW batch_view");
        execute(file, "DROP TABLE batch_tally");
        execute(file, "DROP TABLE batch");
        execute(file, "DROP INDEX member");
        execute(file, "ALTER TABLE job DROP COLUMN batch");
    }
}
