package dev.orderly.testkit;

import dev.orderly.Store;
import dev.orderly.testkit.contract.room.SharedRoomStoreContract;

class MemoryRoomStoreTest extends SharedRoomStoreContract {
    @Override
    protected Store open() {
        return new MemoryStore();
    }

    @Override
    protected Store reopen(Store killed) {
        return ((MemoryStore) killed).crash();
    }
}
