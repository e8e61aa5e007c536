package dev.orderly.testkit;

import dev.orderly.Store;
import dev.orderly.testkit.contract.ScheduleStoreContract;

class MemoryScheduleStoreTest extends ScheduleStoreContract {
    @Override
    protected Store open() {
        return new MemoryStore();
    }

    @Override
    protected Store reopen(Store killed) {
        return ((MemoryStore) killed).crash();
    }
}
