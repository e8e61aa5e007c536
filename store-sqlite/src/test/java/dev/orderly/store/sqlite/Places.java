package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Files for tests. */
public final class Places {
    private Places() {}

    /**
     * What kill -9 would leave of a database in use: its files as they are at this moment, in another folder. Nothing
     * of it was closed, checkpointed or said goodbye. The store must not be writing.
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

    /** What the next process finds: what closing the store writes comes too late to count. */
    public static SqliteStore reopened(Store store, Path folder) {
        return reopened(store, folder, Time.system());
    }

    /** @param time by whose monotonic clock the next process judges nodes */
    public static SqliteStore reopened(Store store, Path folder, Time time) {
        Path asKilled = asKilled(Path.of(store.name().substring("sqlite:".length())), folder);
        store.close();
        return SqliteStore.at(asKilled, SqliteOptions.DEFAULT, time);
    }

    public static Path fresh(Path folder) {
        try {
            return Files.createTempDirectory(folder, "db").resolve("orderly.db");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
