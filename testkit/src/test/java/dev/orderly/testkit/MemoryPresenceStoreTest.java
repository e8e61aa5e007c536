package dev.orderly.testkit;

import dev.orderly.Store;
import dev.orderly.testkit.contract.PresenceStoreContract;
import dev.orderly.time.Time;

class MemoryPresenceStoreTest extends PresenceStoreContract {
    @Override
    protected Store open(Time clock) {
        return new MemoryStore(clock);
    }
}
