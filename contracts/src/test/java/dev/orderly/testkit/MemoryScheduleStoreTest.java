package dev.orderly.testkit;

import dev.orderly.Store;
import dev.orderly.testkit.contract.ScheduleStoreContract;
import dev.orderly.time.Time;

class MemoryScheduleStoreTest extends ScheduleStoreContract {
    @Override
    protected Store open(Time clock) {
        return new MemoryStore(clock);
    }

    @Override
    protected Store reopen(Store killed) {
        return ((MemoryStore) killed).crash();
    }
}
