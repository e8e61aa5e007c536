package dev.orderly.server;

import dev.orderly.Store;
import dev.orderly.VisitorStore;
import dev.orderly.config.StoreConfig;
import dev.orderly.config.StoreUrl;
import dev.orderly.store.copy.CopySource;
import dev.orderly.store.copy.MixedSource;
import dev.orderly.store.copy.OpenCopySource;
import dev.orderly.store.postgres.PostgresSource;
import dev.orderly.store.postgres.PostgresStore;
import dev.orderly.store.redis.RedisStore;
import dev.orderly.store.sqlite.SqliteSource;
import dev.orderly.store.sqlite.SqliteStore;
import dev.orderly.time.Time;
import java.time.Instant;

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

    /** Opens a store for reading only, which may keep rooms only. */
    public static OpenCopySource source(StoreConfig config) {
        OpenCopySource jobs = source(config.jobs());
        if (config.rooms().equals(config.jobs())) {
            return jobs;
        }
        try {
            return new MixedOpenSource(jobs, source(config.rooms()), config.rooms() instanceof StoreUrl.Sqlite);
        } catch (RuntimeException | Error e) {
            jobs.close();
            throw e;
        }
    }

    private static OpenCopySource source(StoreUrl url) {
        return switch (url) {
            case StoreUrl.Sqlite sqlite -> SqliteSource.at(sqlite.file());
            case StoreUrl.Postgres postgres -> PostgresSource.at(postgres.url());
            case StoreUrl.Redis redis -> new RedisSource(RedisStore.at(redis.url()));
        };
    }

    /** Redis has no tables to update: opening it changes nothing. */
    private record RedisSource(RedisStore store) implements OpenCopySource {
        @Override
        public String name() {
            return store.name();
        }

        @Override
        public CopySource data() {
            return store.copying();
        }

        @Override
        public Instant now() {
            return store.roomClock(Time.system()).now();
        }

        @Override
        public long jobs() {
            return 0;
        }

        @Override
        public void close() {
            store.close();
        }
    }

    /** @param alone whether the rooms are in a store of one process, so that nodes find each other over the jobs */
    private record MixedOpenSource(OpenCopySource ofJobs, OpenCopySource ofRooms,
            boolean alone) implements OpenCopySource {
        @Override
        public String name() {
            return ofJobs.name() + ", rooms in " + ofRooms.name();
        }

        @Override
        public CopySource data() {
            return new MixedSource(ofJobs.data(), ofRooms.data(), (alone ? ofJobs : ofRooms).data());
        }

        @Override
        public Instant now() {
            return ofRooms.now();
        }

        @Override
        public long jobs() {
            return ofJobs.jobs();
        }

        @Override
        public void close() {
            try {
                ofRooms.close();
            } finally {
                ofJobs.close();
            }
        }
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
