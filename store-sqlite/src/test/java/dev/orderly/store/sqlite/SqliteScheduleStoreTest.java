package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.testkit.contract.ScheduleStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteScheduleStoreTest extends ScheduleStoreContract {
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
