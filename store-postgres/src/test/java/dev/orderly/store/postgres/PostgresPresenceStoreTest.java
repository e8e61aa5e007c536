package dev.orderly.store.postgres;

import dev.orderly.Store;
import dev.orderly.testkit.contract.PresenceStoreContract;

class PostgresPresenceStoreTest extends PresenceStoreContract {
    @Override
    protected Store open() {
        return Server.open(Server.fresh());
    }
}
