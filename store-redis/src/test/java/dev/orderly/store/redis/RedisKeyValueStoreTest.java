package dev.orderly.store.redis;

import dev.orderly.Store;
import dev.orderly.testkit.contract.KeyValueStoreContract;

class RedisKeyValueStoreTest extends KeyValueStoreContract {
    @Override
    protected Store open() {
        return Server.opened(Server.fresh());
    }

    @Override
    protected Store reopen(Store killed) {
        return Server.reopened(killed);
    }
}
