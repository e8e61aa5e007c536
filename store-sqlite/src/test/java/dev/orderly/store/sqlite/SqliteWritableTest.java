package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.testkit.contract.WritableContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The store refuses writes while its file is not at its path, since they would be lost. */
class SqliteWritableTest extends WritableContract {
    @TempDir
    private Path folder;
    private Path file = Path.of("");

    @Override
    protected Store open() {
        file = Places.fresh(folder);
        return SqliteStore.at(file);
    }

    @Override
    protected void refuseWrites(Store store) {
        move(file, away());
    }

    @Override
    protected void allowWrites(Store store) {
        if (Files.exists(away())) {
            move(away(), file);
        }
    }

    private Path away() {
        return folder.resolve("away.db");
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
