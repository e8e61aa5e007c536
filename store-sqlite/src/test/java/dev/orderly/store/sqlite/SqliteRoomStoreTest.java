package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.testkit.contract.room.RoomStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteRoomStoreTest extends RoomStoreContract {
    @TempDir
    private Path folder;

    @Override
    protected Store open() {
        return SqliteStore.at(Places.fresh(folder));
    }

    @Override
    protected Store reopen(Store store) {
        return Places.reopened(store, folder);
    }
}
