package dev.orderly.store.redis;

import dev.orderly.Store;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.testkit.contract.copy.MovingStore;
import dev.orderly.time.Time;

/** Redis as the source and the target of copies in tests; jobs are in no store. */
public final class RedisKind implements MovingStore.Kind {
    @Override
    public Store open(Time clock) {
        return Server.opened(Server.fresh());
    }

    @Override
    public Store reopen(Store killed) {
        return Server.reopened(killed);
    }

    @Override
    public CopyPort copying(Store store) {
        return ((Server.Opened) store).redis().copying();
    }
}
