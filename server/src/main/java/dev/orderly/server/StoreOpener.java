package dev.orderly.server;

import dev.orderly.Store;
import dev.orderly.VisitorStore;
import dev.orderly.config.StoreConfig;
import dev.orderly.config.StoreUrl;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.redis.RedisStore;
import dev.orderly.store.sqlite.SqliteStore;

/** Opens the configured stores. */
public final class StoreOpener {
    private StoreOpener() {}

    /** @throws dev.orderly.store.StoreException if a store cannot be used; none stays open then */
    public static Store open(StoreConfig config) {
        Store jobs = open(config.jobs());
        if (config.rooms().equals(config.jobs())) {
            return jobs;
        }
        try {
            return Store.of(jobs, rooms(config.rooms()));
        } catch (RuntimeException | Error e) {
            jobs.close();
            throw e;
        }
    }

    /** Opens a store that may keep rooms only. */
    public static VisitorStore openAny(StoreConfig config) {
        return config.jobs() instanceof StoreUrl.Redis redis ? RedisStore.at(redis.url()) : open(config);
    }

    private static Store open(StoreUrl url) {
        return switch (url) {
            case StoreUrl.Sqlite sqlite -> SqliteStore.at(sqlite.file());
            case StoreUrl.Postgres postgres -> PostgresStore.at(postgres.url());
            case StoreUrl.Redis redis -> throw new IllegalArgumentException(redis + " keeps no jobs");
        };
    }

    private static VisitorStore rooms(StoreUrl url) {
        return url instanceof StoreUrl.Redis redis ? RedisStore.at(redis.url()) : open(url);
    }
}
