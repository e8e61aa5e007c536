package dev.orderly.testkit;

import dev.orderly.Store;
import dev.orderly.testkit.contract.KeyValueStoreContract;

class MemoryKeyValueStoreTest extends KeyValueStoreContract {
    @Override
    protected Store open() {
        return new MemoryStore();
    }

    @Override
    protected Store reopen(Store killed) {
        return ((MemoryStore) killed).crash();
    }
}
