package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.store.sqlite.state.MemoryBounds;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;

/** Database files for tests. */
public final class Places {
    /** With them the index of waiting jobs merges after a few changes, and keys go to the disk after a dozen. */
    static final MemoryBounds TINY = new MemoryBounds(3, 1_024);

    private Places() {}

    /**
     * The database as kill -9 would leave it: a copy of its files at this moment, in another folder, without close and
     * checkpoint. The store must not be writing.
     */
    public static Path asKilled(Path file, Path folder) {
        try (Stream<Path> beside = Files.list(file.getParent())) {
            List<Path> files = beside.filter(Files::isRegularFile).toList();
            Path target = Files.createTempDirectory(folder, "killed");
            for (Path each : files) {
                Files.copy(each, target.resolve(each.getFileName()));
            }
            return target.resolve(file.getFileName());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The store of the next process after kill -9: the copy is taken before the store is closed. */
    public static SqliteStore reopened(Store store, Path folder) {
        return reopened(store, folder, Time.system());
    }

    /** @param time its monotonic clock decides in the next process which nodes are dead */
    public static SqliteStore reopened(Store store, Path folder, Time time) {
        Path asKilled = asKilled(Path.of(store.name().substring("sqlite:".length())), folder);
        store.close();
        return SqliteStore.at(asKilled, SqliteOptions.DEFAULT, time, TINY);
    }

    /** SQLite's own check of a database: "ok" if it is whole. */
    public static String integrity(Path file) throws SQLException {
        try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = other.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA integrity_check")) {
            row.next();
            return row.getString(1);
        }
    }

    public static Path fresh(Path folder) {
        try {
            return Files.createTempDirectory(folder, "db").resolve("orderly.db");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
