package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.testkit.contract.HistoryStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteHistoryStoreTest extends HistoryStoreContract {
    @TempDir
    private Path folder;

    @Override
    protected Store open() {
        return SqliteStore.at(Places.fresh(folder), new SqliteOptions(Durability.NORMAL, 4));
    }

    @Override
    protected Store reopen(Store store) {
        return Places.reopened(store, folder);
    }
}
