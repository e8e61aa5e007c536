package dev.orderly.store.postgres;

import dev.orderly.Store;
import dev.orderly.testkit.contract.ScheduleStoreContract;
import dev.orderly.time.Time;

class PostgresScheduleStoreTest extends ScheduleStoreContract {
    @Override
    protected Store open(Time clock) {
        return Server.openEmpty(clock);
    }

    @Override
    protected Store reopen(Store killed) {
        return Server.reopened(killed);
    }
}
