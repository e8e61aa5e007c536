package dev.orderly.store.redis;

import dev.orderly.Store;
import dev.orderly.testkit.contract.PresenceStoreContract;
import dev.orderly.time.Time;

class RedisPresenceStoreTest extends PresenceStoreContract {
    @Override
    protected Store open(Time clock) {
        return Server.opened(Server.fresh(), clock);
    }
}
