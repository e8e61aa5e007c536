package dev.orderly.testkit;

import dev.orderly.Store;
import dev.orderly.testkit.contract.JobStoreContract;

class MemoryStoreTest extends JobStoreContract {
    @Override
    protected Store open() {
        return new MemoryStore();
    }

    @Override
    protected Store reopen(Store killed) {
        return ((MemoryStore) killed).crash();
    }
}
