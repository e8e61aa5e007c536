package dev.orderly.store.postgres;

import dev.orderly.Store;
import dev.orderly.testkit.contract.HistoryStoreContract;

class PostgresHistoryStoreTest extends HistoryStoreContract {
    @Override
    protected Store open() {
        return Server.openEmpty();
    }

    @Override
    protected Store reopen(Store killed) {
        return Server.reopened(killed);
    }
}
