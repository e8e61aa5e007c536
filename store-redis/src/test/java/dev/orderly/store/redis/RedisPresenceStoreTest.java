package dev.orderly.store.redis;

import dev.orderly.Store;
import dev.orderly.testkit.contract.OnlineUserStoreContract;
import dev.orderly.time.Time;

class RedisPresenceStoreTest extends OnlineUserStoreContract {
    @Override
    protected Store open(Time clock) {
        return Server.opened(Server.fresh(), clock);
    }
}
