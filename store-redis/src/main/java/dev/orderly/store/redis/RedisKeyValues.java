package dev.orderly.store.redis;

import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoredValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The port of keys with values. Each call is one script; every value is a hash of its own, which expires. */
final class RedisKeyValues implements KeyValueStore {
    /** The time for which Redis keeps a value beyond its end, since its clock and the caller's differ. */
    private static final Duration MARGIN = Duration.ofHours(1);

    private final Connections connections;
    private final Commands commands;
    private final String prefix;

    RedisKeyValues(Connections connections, Commands commands, String prefix) {
        this.connections = connections;
        this.commands = commands;
        this.prefix = prefix;
    }

    @Override
    public Optional<StoredValue> read(String key, Instant now) {
        List<Object> reply = commands.run(link(), Script.VALUE, new String[]{name(prefix, key)},
                new String[]{millis(now)});
        return reply.isEmpty()
                ? Optional.empty()
                : Optional.of(new StoredValue(Long.parseLong((String) reply.get(0)), (String) reply.get(1)));
    }

    @Override
    public OptionalLong replace(String key, long seen, String text, Instant until, Instant now) {
        KeyValueStore.check(key, text);
        Duration kept = Duration.between(now, until).plus(MARGIN);
        List<Object> reply = commands.run(link(), Script.REPLACE,
                new String[]{name(prefix, key), versions(prefix)},
                new String[]{millis(now), Long.toString(seen), text, millis(until),
                        Long.toString(Math.max(1, kept.toMillis()))});
        return reply.isEmpty() ? OptionalLong.empty() : OptionalLong.of((Long) reply.getFirst());
    }

    private ServerLink link() {
        return connections.link(versions(prefix));
    }

    /** The key of a value. All values share a hash tag that is no name of a room. */
    static String name(String prefix, String key) {
        return prefix + ":{Values}:value:" + key;
    }

    /** The key of the last version. */
    static String versions(String prefix) {
        return prefix + ":{Values}:versions";
    }

    private static String millis(Instant moment) {
        return Long.toString(moment.toEpochMilli());
    }
}
