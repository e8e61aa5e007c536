package dev.orderly.testkit;

import dev.orderly.Store;
import dev.orderly.testkit.contract.BusContract;

class MemoryBusTest extends BusContract {
    @Override
    protected Store open() {
        return new MemoryStore();
    }

    @Override
    protected Store beside(Store store) {
        return ((MemoryStore) store).beside();
    }
}
