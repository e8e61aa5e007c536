package dev.orderly.store.redis;

import dev.orderly.Store;
import dev.orderly.testkit.contract.WritableContract;

/** A Redis without the required number of replicas takes no writes. */
class RedisWritableTest extends WritableContract {
    @Override
    protected Store open() {
        return Server.opened(Server.fresh());
    }

    @Override
    protected void refuseWrites(Store store) {
        Server.shared().configSet("min-replicas-to-write", "1");
    }

    @Override
    protected void allowWrites(Store store) {
        Server.shared().configSet("min-replicas-to-write", "0");
    }
}
