package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.testkit.contract.job.JobStoreContract;
import dev.orderly.time.Time;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract, with tiny bounds of memory. */
class SqliteJobStoreTest extends JobStoreContract {
    @TempDir
    private Path folder;
    private Time clock = Time.system();

    @Override
    protected Store open(Time time) {
        clock = time;
        return SqliteStore.at(Places.fresh(folder), SqliteOptions.DEFAULT, time, Places.TINY);
    }

    @Override
    protected Store reopen(Store store) {
        return Places.reopened(store, folder, clock);
    }
}
