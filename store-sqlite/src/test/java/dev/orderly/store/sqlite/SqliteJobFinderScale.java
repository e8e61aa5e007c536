package dev.orderly.store.sqlite;

import dev.orderly.Store;
import dev.orderly.testkit.contract.search.JobFinderScale;
import dev.orderly.time.Time;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Not part of {@code verify}, by its name. */
class SqliteJobFinderScale extends JobFinderScale {
    @TempDir
    private Path folder;

    @Override
    protected Store open(Time clock) {
        return SqliteStore.at(Places.fresh(folder), new SqliteOptions(Durability.NORMAL, 64), clock);
    }
}
