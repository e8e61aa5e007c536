package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.store.StoreException;
import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpeningTest {
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
        SqliteStore.at(file).close();
        execute(file, "DROP TABLE schedule");
        execute(file, "ALTER TABLE queue DROP COLUMN halts");
        execute(file, "UPDATE meta SET value = 2 WHERE name = 'schema'");
        try (SqliteStore updated = SqliteStore.at(file)) {
            assertThat(updated.schedules().states()).isEmpty();
        }
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
}
