package dev.orderly.store.postgres;

import dev.orderly.Store;
import dev.orderly.testkit.contract.job.JobStoreContract;
import dev.orderly.time.Time;

class PostgresJobStoreTest extends JobStoreContract {
    @Override
    protected Store open(Time clock) {
        return Server.openEmpty(clock);
    }

    @Override
    protected Store reopen(Store killed) {
        return Server.reopened(killed);
    }
}
