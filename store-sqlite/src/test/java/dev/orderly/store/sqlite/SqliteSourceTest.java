package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.Store;
import dev.orderly.store.StoreException;
import dev.orderly.store.copy.CopyResult;
import dev.orderly.store.copy.OpenCopySource;
import dev.orderly.store.copy.StoreCopy;
import dev.orderly.testkit.contract.copy.CopyState;
import dev.orderly.testkit.contract.copy.CopyTrial;
import dev.orderly.testkit.contract.copy.CopyViews;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that is only read. A user that is not root may not write its folder either. */
class SqliteSourceTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void aReadOnlyFolderIsCopiedAndNothingInItChanges() throws IOException {
        Path file = Places.fresh(folder);
        CopyState state = new CopyState(31, Time.system().now());
        try (Store store = SqliteStore.at(file)) {
            state.fill(store);
        }
        writable(file, false);
        Map<Path, String> before = content(file);
        copy(file);
        assertThat(content(file)).isEqualTo(before);
        writable(file, true);
        try (Store source = SqliteStore.at(file); Store target = SqliteStore.at(folder.resolve("copy.db"))) {
            new CopyViews(state).compare(source, target);
        }
    }

    @Test
    void aKilledServerLeavesASourceWithTheAttemptsOfItsJobs() throws IOException {
        Instant now = Time.system().now();
        CopyState state = new CopyState(32, now);
        Path killed;
        try (Store store = SqliteStore.at(Places.fresh(folder))) {
            state.fill(store);
            killed = Places.asKilled(Path.of(store.name().substring("sqlite:".length())), folder);
        }
        copy(killed);
        try (Store source = SqliteStore.at(killed); Store target = SqliteStore.at(folder.resolve("copy.db"))) {
            new CopyViews(state).compare(source, target);
        }
    }

    @Test
    void aSourceInUseIsRefused() throws IOException {
        Path file = Places.fresh(folder);
        try (Store open = SqliteStore.at(file)) {
            open.checkWritable();
            assertThatThrownBy(() -> SqliteSource.at(file)).isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("Another Orderly process");
        }
        try (OpenCopySource reading = SqliteSource.at(file)) {
            assertThat(reading.jobs()).isZero();
            assertThatThrownBy(() -> SqliteStore.at(file)).hasMessageContaining("Another Orderly process");
        }
    }

    @Test
    void tablesOfAnOlderVersionAreUpdatedFirst() throws IOException, SQLException {
        Path file = older();
        try (OpenCopySource source = SqliteSource.at(file)) {
            assertThat(source.data().identity()).isPresent();
        }
    }

    @Test
    void tablesOfAnOlderVersionThatCannotBeUpdatedAreRefusedWithTheRemedy() throws IOException, SQLException {
        Path file = older();
        Files.createLink(folder.resolve("second name"), file);
        assertThatThrownBy(() -> SqliteSource.at(file)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("tables of an older version").hasMessageContaining("2 names")
                .hasMessageContaining("start this version on it once where it can be written");
    }

    @Test
    void aFileThatIsNoSourceIsRefusedWithTheRemedy() throws IOException {
        assertThatThrownBy(() -> SqliteSource.at(folder.resolve("none.db"))).isInstanceOf(StoreException.class)
                .hasMessageContaining("name a database that this user may read");
        Path empty = Files.createFile(folder.resolve("empty.db"));
        assertThatThrownBy(() -> SqliteSource.at(empty)).isInstanceOf(StoreException.Unusable.class)
                .hasMessageContaining("no tables of Orderly").hasMessageContaining("name one that a server has used");
    }

    private void copy(Path file) {
        try (OpenCopySource source = SqliteSource.at(file); Store target = SqliteStore.at(folder.resolve("copy.db"))) {
            assertThat(new StoreCopy(source.data(), target.copying(), CopyTrial.SILENT).run("a test", source.now()))
                    .isInstanceOfSatisfying(CopyResult.Compared.class, result -> assertThat(result.equal()).isTrue());
        }
    }

    /** A database without what the newest version has added. */
    private Path older() throws IOException, SQLException {
        Path file = Places.fresh(folder);
        SqliteStore.at(file).close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP VIEW waiting_of_key");
            statement.execute("DROP INDEX keyed");
            statement.execute("ALTER TABLE job DROP COLUMN key_indexed");
            statement.execute("CREATE INDEX keyed ON job(queue, flow_key, lane, seq) WHERE flow_key IS NOT NULL"
                    + " AND state = 0");
            statement.execute("UPDATE meta SET value = value - 1 WHERE name = 'schema'");
        }
        return file;
    }

    private static void writable(Path file, boolean writable) throws IOException {
        Path inside = file.getParent();
        Files.setPosixFilePermissions(inside, PosixFilePermissions.fromString(writable ? "rwx------" : "r-x------"));
        try (Stream<Path> files = Files.list(inside)) {
            for (Path each : files.toList()) {
                Files.setPosixFilePermissions(each,
                        PosixFilePermissions.fromString(writable ? "rw-------" : "r--------"));
            }
        }
    }

    private static Map<Path, String> content(Path file) throws IOException {
        Map<Path, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.list(file.getParent())) {
            for (Path each : files.toList()) {
                content.put(each, Files.getLastModifiedTime(each) + " "
                        + HexFormat.of().formatHex(Files.readAllBytes(each)));
            }
        }
        return content;
    }
}
