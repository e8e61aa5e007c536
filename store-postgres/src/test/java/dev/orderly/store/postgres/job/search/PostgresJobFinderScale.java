package dev.orderly.store.postgres.job.search;

import dev.orderly.Store;
import dev.orderly.store.postgres.Server;
import dev.orderly.testkit.contract.search.JobFinderScale;
import dev.orderly.time.Time;

/** Not part of {@code verify}, by its name. */
class PostgresJobFinderScale extends JobFinderScale {
    @Override
    protected Store open(Time clock) {
        return Server.openEmpty(clock);
    }
}
