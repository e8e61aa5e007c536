package dev.orderly.store.redis;

import dev.orderly.ForwardingStore;
import dev.orderly.Store;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.room.RoomName;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.Bus;
import dev.orderly.store.KeyValueStore;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.server.RedisNode;
import dev.orderly.time.Time;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * The Redis for the tests of this process. {@code ORDERLY_TEST_REDIS} names a running server by a URL; without it a
 * server is started at the first use, and ends with the process.
 */
final class Server {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Server() {}

    /** Options with a prefix that no key has. */
    static RedisOptions fresh() {
        return RedisOptions.at(Started.URL).withPrefix("t" + UUID.randomUUID().toString().replace("-", ""));
    }

    /** A store that waits for the answers of a server on a busy machine. */
    static RedisStore open(RedisOptions options) {
        return RedisStore.open(options, Time.system(), new Random(), PATIENCE);
    }

    static Opened opened(RedisOptions options) {
        RedisStore redis = open(options);
        return new Opened(options, redis, redis.presence());
    }

    /** @param clock replaces the server's clock for the liveness of nodes */
    static Opened opened(RedisOptions options, Time clock) {
        RedisStore redis = open(options);
        return new Opened(options, redis, redis.presenceBy(clock));
    }

    /** The store after a restart of the server: without the keys that are dropped then. */
    static Opened reopened(Store killed) {
        Opened opened = (Opened) killed;
        opened.redis.close();
        RoomKeys keys = new RoomKeys(opened.options.prefix());
        for (String room : shared().smembers(keys.names())) {
            shared().del(keys.passing(new RoomName(room)));
        }
        return opened(opened.options);
    }

    /** Commands outside the store. */
    static RedisCommands<String, String> shared() {
        return Started.CONNECTION.sync();
    }

    /** Sends a command for which the client has no method. */
    static String dispatch(RedisCommands<String, String> redis, String command, String... arguments) {
        CommandArgs<String, String> all = new CommandArgs<>(StringCodec.UTF8);
        for (String each : arguments) {
            all.add(each);
        }
        return redis.dispatch(CommandType.valueOf(command), new StatusOutput<>(StringCodec.UTF8), all);
    }

    /** The ports of Redis as a whole store; the other ports are a memory store's. */
    static final class Opened extends ForwardingStore {
        private final RedisOptions options;
        private final RedisStore redis;
        private final OnlineUserStore presence;

        Opened(RedisOptions options, RedisStore redis, OnlineUserStore presence) {
            super(new MemoryStore());
            this.options = options;
            this.redis = redis;
            this.presence = presence;
        }

        RedisStore redis() {
            return redis;
        }

        /** The same store, opened by another node. */
        Opened beside() {
            return opened(options);
        }

        @Override
        public RoomStore rooms() {
            return redis.rooms();
        }

        @Override
        public OnlineUserStore presence() {
            return presence;
        }

        @Override
        public Bus bus() {
            return redis.bus();
        }

        @Override
        public KeyValueStore keyValues() {
            return redis.keyValues();
        }

        @Override
        public void checkWritable() {
            redis.checkWritable();
        }

        /** Also removes the keys of the test. */
        @Override
        public void close() {
            redis.close();
            clean(options);
        }
    }

    /** Removes the keys of a test. */
    static void clean(RedisOptions options) {
        RoomKeys keys = new RoomKeys(options.prefix());
        List<String> left = new ArrayList<>(List.of(RedisOnlineUsers.keys(options.prefix())));
        left.add(keys.names());
        left.addAll(shared().keys(options.prefix() + ":{Values}:*"));
        for (String room : shared().smembers(keys.names())) {
            left.addAll(List.of(keys.of(new RoomName(room))));
        }
        shared().del(left.toArray(String[]::new));
    }

    /** A class of its own, so that the server starts at the first use. */
    private static final class Started {
        static final String URL = url();
        static final StatefulRedisConnection<String, String> CONNECTION = RedisClient.create(URL).connect();

        private static String url() {
            String given = System.getenv("ORDERLY_TEST_REDIS");
            return given != null ? given : RedisNode.start("appendonly no").url();
        }
    }
}
