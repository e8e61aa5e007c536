package dev.orderly.store.postgres;

import dev.orderly.Store;
import dev.orderly.testkit.contract.PresenceStoreContract;
import dev.orderly.time.Time;

class PostgresPresenceStoreTest extends PresenceStoreContract {
    @Override
    protected Store open(Time clock) {
        return Server.openEmpty(clock);
    }
}
