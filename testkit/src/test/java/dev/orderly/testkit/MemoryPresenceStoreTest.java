package dev.orderly.testkit;

import dev.orderly.Store;
import dev.orderly.testkit.contract.PresenceStoreContract;

class MemoryPresenceStoreTest extends PresenceStoreContract {
    @Override
    protected Store open() {
        return new MemoryStore();
    }
}
