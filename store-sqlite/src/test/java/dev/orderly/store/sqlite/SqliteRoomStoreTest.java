package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.testkit.contract.RoomStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteRoomStoreTest extends RoomStoreContract {
    @TempDir
    private Path folder;

    @Override
    protected Store open() {
        return SqliteStore.at(Places.fresh(folder));
    }

    /** The files are taken as they stand while the store lives; what closing it writes comes too late to count. */
    @Override
    protected Store reopen(Store store) {
        Path file = Path.of(store.name().substring("sqlite:".length()));
        Path asKilled = Places.asKilled(file, folder);
        store.close();
        return SqliteStore.at(asKilled);
    }
}
