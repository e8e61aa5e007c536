package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.store.sqlite.state.MemoryBounds;
import dev.orderly.testkit.contract.search.JobFinderContract;
import dev.orderly.time.Time;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract, with an index of waiting jobs that merges now and then. */
class SqliteJobFinderTest extends JobFinderContract {
    @TempDir
    private Path folder;

    @Override
    protected Store open(Time clock) {
        return SqliteStore.at(Places.fresh(folder), new SqliteOptions(Durability.NORMAL, 4), clock,
                new MemoryBounds(50, 1_024));
    }
}
