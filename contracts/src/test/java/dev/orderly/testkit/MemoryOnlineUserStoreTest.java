package dev.orderly.testkit;

import dev.orderly.Store;
import dev.orderly.testkit.contract.OnlineUserStoreContract;
import dev.orderly.time.Time;

class MemoryOnlineUserStoreTest extends OnlineUserStoreContract {
    @Override
    protected Store open(Time clock) {
        return new MemoryStore(clock);
    }
}
