package dev.orderly.store.postgres.live;

import dev.orderly.Store;
import dev.orderly.store.postgres.Server;
import dev.orderly.testkit.contract.BusContract;

class PostgresBusTest extends BusContract {
    @Override
    protected Store open() {
        return Server.open(Server.fresh());
    }

    @Override
    protected Store beside(Store store) {
        return Server.open(((Server.Opened) store).options());
    }
}
