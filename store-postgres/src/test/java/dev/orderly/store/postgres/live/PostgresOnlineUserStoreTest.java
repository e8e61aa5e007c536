package dev.orderly.store.postgres.live;

import dev.orderly.Store;
import dev.orderly.store.postgres.Server;
import dev.orderly.testkit.contract.OnlineUserStoreContract;
import dev.orderly.time.Time;

class PostgresOnlineUserStoreTest extends OnlineUserStoreContract {
    @Override
    protected Store open(Time clock) {
        return Server.openEmpty(clock);
    }
}
