package dev.orderly.store.redis;

import dev.orderly.Store;
import dev.orderly.testkit.contract.PresenceStoreContract;

class RedisPresenceStoreTest extends PresenceStoreContract {
    @Override
    protected Store open() {
        return Server.opened(Server.fresh());
    }
}
