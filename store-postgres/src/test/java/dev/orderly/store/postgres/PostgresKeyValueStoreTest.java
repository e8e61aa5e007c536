package dev.orderly.store.postgres;

import dev.orderly.Store;
import dev.orderly.testkit.contract.KeyValueStoreContract;

class PostgresKeyValueStoreTest extends KeyValueStoreContract {
    @Override
    protected Store open() {
        return Server.openEmpty();
    }

    @Override
    protected Store reopen(Store killed) {
        return Server.reopened(killed);
    }
}
