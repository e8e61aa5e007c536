package dev.orderly.store.postgres;

import dev.orderly.Store;
import dev.orderly.testkit.contract.room.SharedRoomStoreContract;

class PostgresRoomStoreTest extends SharedRoomStoreContract {
    @Override
    protected Store open() {
        return Server.openEmpty();
    }

    @Override
    protected Store reopen(Store killed) {
        return Server.recovered(killed);
    }
}
