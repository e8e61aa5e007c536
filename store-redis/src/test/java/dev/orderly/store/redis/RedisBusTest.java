package dev.orderly.store.redis;

import dev.orderly.Store;
import dev.orderly.testkit.contract.BusContract;

class RedisBusTest extends BusContract {
    @Override
    protected Store open() {
        return Server.opened(Server.fresh());
    }

    @Override
    protected Store beside(Store store) {
        return ((Server.Opened) store).beside();
    }
}
