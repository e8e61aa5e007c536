package dev.orderly.store.postgres;

import dev.orderly.Store;
import dev.orderly.testkit.contract.search.JobFinderContract;
import dev.orderly.time.Time;

class PostgresJobFinderTest extends JobFinderContract {
    @Override
    protected Store open(Time clock) {
        return Server.openEmpty(clock);
    }
}
