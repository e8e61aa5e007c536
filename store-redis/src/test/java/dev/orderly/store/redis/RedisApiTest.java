package dev.orderly.store.redis;

import dev.orderly.testkit.contract.api.PublicApiContract;

/** The public API of the store in Redis. */
class RedisApiTest extends PublicApiContract {
    private final RedisOptions options = Server.fresh();
    private final RedisStore store = RedisStore.open(options);

    RedisApiTest() {
        super(RedisStore.class, 4);
        samples().with(store, options).with(String.class, "redis://localhost");
    }
}
