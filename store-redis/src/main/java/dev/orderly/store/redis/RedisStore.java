package dev.orderly.store.redis;

import dev.orderly.VisitorStore;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.Bus;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreException;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.time.Time;
import io.lettuce.core.RedisException;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.async.RedisServerAsyncCommands;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open Redis or Valkey: its connections, and the ports on it. A call waits at most 2 seconds for an answer. The
 * caller that opened the store closes it; later calls throw {@link StoreException.Unavailable}. Thread-safe.
 *
 * <p>An acknowledged change is as durable as the server's settings make it: {@link #open} logs what a crash loses.
 */
public final class RedisStore implements VisitorStore {
    private static final Logger LOG = LoggerFactory.getLogger(RedisStore.class);
    private static final long MARK_MILLIS = 60_000;

    private final Connections connections;
    private final Commands commands;
    private final String prefix;
    private final RedisRooms rooms;
    private final RedisOnlineUsers presence;
    private final RedisKeyValues values;
    private final RedisCopy copying;
    private final RedisBus bus;
    private final String name;
    private final String mark;

    private RedisStore(RedisOptions options, Connections connections, RedisErrors errors, RedisBus bus, long salt) {
        this.connections = connections;
        this.bus = bus;
        name = options.toString();
        mark = options.prefix() + ":mark";
        commands = new Commands(connections, errors, options.replicas());
        prefix = options.prefix();
        rooms = new RedisRooms(connections, commands, new RoomKeys(options.prefix()), salt);
        presence = new RedisOnlineUsers(connections, commands, prefix, null);
        values = new RedisKeyValues(connections, commands, prefix);
        copying = new RedisCopy(connections, commands, prefix, values);
    }

    /**
     * Opens the server of an address. As {@link #open(RedisOptions)}.
     *
     * @param url in the form of {@link RedisOptions#at}
     * @throws IllegalArgumentException if the address is malformed
     */
    public static RedisStore at(String url) {
        return open(RedisOptions.at(url));
    }

    /**
     * Connects, and checks whether the server can keep rooms. Blocks up to about ten seconds.
     *
     * @throws StoreException.Unavailable if the server is not reached, refuses or is a replica; the message names the
     *     remedy
     * @throws StoreException.Unusable if it is older than Redis 6.2, or may evict keys when its memory is full
     */
    public static RedisStore open(RedisOptions options) {
        return open(options, Time.system(), new SecureRandom(), RedisOptions.COMMAND);
    }

    /**
     * As {@link #open(RedisOptions)}.
     *
     * @param random source of the process's sender id and salt, which must differ between processes
     * @param patience longest wait for an answer
     */
    static RedisStore open(RedisOptions options, Time time, RandomGenerator random, Duration patience) {
        RedisErrors errors = new RedisErrors(options.toString());
        Connections connections = new Connections(options, errors, time, patience);
        try {
            for (ServerLink link : connections.open()) {
                RedisServerFacts facts = RedisServerFacts.read(link.connection());
                if (facts.isReplica()) {
                    throw errors.replica();
                }
                check(options, facts);
            }
            RedisBus bus = new RedisBus(connections, options.prefix(), random, time);
            bus.open();
            return new RedisStore(options, connections, errors, bus, random.nextLong());
        } catch (RedisException e) {
            connections.close();
            throw errors.unreached(e);
        } catch (RuntimeException e) {
            connections.close();
            throw e;
        }
    }

    private static void check(RedisOptions options, RedisServerFacts facts) {
        facts.problem().ifPresent(problem -> {
            throw new StoreException.Unusable("Redis at " + options + " cannot keep rooms: " + problem, null);
        });
        facts.doubts().forEach(doubt -> LOG.warn("Redis at {}: {}", options, doubt));
        if (facts.isKept()) {
            LOG.info("Redis at {}: {}", options, facts.losses());
        } else {
            LOG.warn("Redis at {}: {}", options, facts.losses());
        }
    }

    @Override
    public RoomStore rooms() {
        return rooms;
    }

    @Override
    public OnlineUserStore presence() {
        return presence;
    }

    /** Presence with another clock than the server's for the liveness of nodes, in tests. */
    OnlineUserStore presenceBy(Time clock) {
        return new RedisOnlineUsers(connections, commands, prefix, clock);
    }

    @Override
    public Bus bus() {
        return bus;
    }

    @Override
    public KeyValueStore keyValues() {
        return values;
    }

    @Override
    public CopyPort copying() {
        return copying;
    }

    @Override
    public Time clock(Time own) {
        return Time.aligned(own, this::now);
    }

    private Instant now() {
        List<String> parts = commands.ask(connections.link(mark), RedisServerAsyncCommands::time);
        return Instant.ofEpochSecond(Long.parseLong(parts.get(0)), Long.parseLong(parts.get(1)) * 1_000);
    }

    @Override
    public void checkWritable() {
        connections.keysOfEach(mark).forEach(key -> commands.ask(connections.link(key),
                redis -> redis.set(key, "1", SetArgs.Builder.px(MARK_MILLIS))));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void close() {
        bus.close();
        connections.close();
    }
}
