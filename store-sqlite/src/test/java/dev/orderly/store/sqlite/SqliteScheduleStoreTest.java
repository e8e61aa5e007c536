package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.store.sqlite.state.MemoryBounds;
import dev.orderly.testkit.contract.ScheduleStoreContract;
import dev.orderly.time.Time;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteScheduleStoreTest extends ScheduleStoreContract {
    @TempDir
    private Path folder;

    private Time clock = Time.system();

    @Override
    protected Store open(Time time) {
        clock = time;
        return SqliteStore.at(Places.fresh(folder), SqliteOptions.DEFAULT, time, new MemoryBounds(3, 1 << 20));
    }

    @Override
    protected Store reopen(Store store) {
        return Places.reopened(store, folder, clock);
    }
}
