package dev.orderly.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.store.copy.CopyResult;
import dev.orderly.testkit.contract.copy.CopyState;
import dev.orderly.testkit.contract.copy.CopyTrial;
import dev.orderly.testkit.contract.copy.CopyViews;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RedisCopyTest {
    /** Keys and fields that a copy changes or leaves out, by the end of their names, each with the reason. */
    private static final Map<String, String> NOT_EQUAL = Map.ofEntries(
            Map.entry(":live", "dropped after a restart of the server"),
            Map.entry(":gates", "dropped after a restart of the server"),
            Map.entry(":places", "dropped after a restart of the server"),
            Map.entry(":present", "dropped after a restart of the server"),
            Map.entry(":told", "dropped after a restart of the server"),
            Map.entry(":pace", "dropped after a restart of the server"),
            Map.entry(":leases", "dropped after a restart of the server"),
            Map.entry(":used-ends", "the moment of the copy"),
            Map.entry(":versions", "each store draws its own"),
            Map.entry(":value:gone", "has ended"),
            Map.entry("voids", "changes with each change of the revoked visitors"),
            Map.entry("version", "each store draws its own"));

    @Test
    void aCopyAnswersAsItsSourceDoes() {
        for (long seed = 1; seed <= 2; seed++) {
            RedisOptions from = Server.fresh();
            RedisOptions to = Server.fresh();
            try (RedisStore source = Server.open(from); RedisStore target = Server.open(to)) {
                Instant now = Time.system().now();
                CopyState state = new CopyState(seed, now);
                state.fillVisitors(source);
                CopyTrial.copied(source.copying(), target.copying(), now);
                assertThat(keys(to, from)).isEqualTo(keys(from, from));
                new CopyViews(state).compareVisitors(source, target);
            } finally {
                Server.clean(from);
                Server.clean(to);
            }
        }
    }

    @Test
    void aCopyThatWasKilledGoesOnWhereItWas() {
        RedisOptions from = Server.fresh();
        RedisOptions to = Server.fresh();
        try (RedisStore source = Server.open(from); RedisStore target = Server.open(to)) {
            Instant now = Time.system().now();
            CopyState state = new CopyState(9, now);
            state.fillVisitors(source);
            for (int kill = 1;; kill += 3) {
                try {
                    CopyTrial.run(new CopyTrial.SmallPages(source.copying()),
                            new CopyTrial.Dying(target.copying(), kill, kill % 2 == 0), now);
                    break;
                } catch (CopyTrial.Killed _) {
                    assertThat(target.copying().mark()).isPresent();
                }
            }
            assertThat(target.copying().mark()).isEmpty();
            assertThat(keys(to, from)).isEqualTo(keys(from, from));
        } finally {
            Server.clean(from);
            Server.clean(to);
        }
    }

    @Test
    void aStoreWithALiveGateIsRefused() {
        RedisOptions from = Server.fresh();
        RedisOptions to = Server.fresh();
        try (RedisStore source = Server.open(from); RedisStore target = Server.open(to)) {
            Instant now = Time.system().now();
            new CopyState(1, now).fillVisitors(source);
            assertThat(CopyTrial.run(source.copying(), target.copying(), now)).isEqualTo(new CopyResult.Refused(
                    "A store is in use, the source by gates of room sale, the source by gates of room tour: stop every"
                            + " node, and try again 30 s after the last one"));
        } finally {
            Server.clean(from);
            Server.clean(to);
        }
    }

    /** The content of all keys of a store, under their names in another store, except for {@link #NOT_EQUAL}. */
    private static Map<String, Object> keys(RedisOptions store, RedisOptions named) {
        Map<String, Object> found = new TreeMap<>();
        for (String key : Server.shared().keys(store.prefix() + ":*")) {
            if (NOT_EQUAL.keySet().stream().noneMatch(key::endsWith)) {
                found.put(key.replace(store.prefix(), named.prefix()), content(key));
            }
        }
        return found;
    }

    private static Object content(String key) {
        return switch (Server.shared().type(key)) {
            case "hash" -> {
                Map<String, String> fields = new TreeMap<>(Server.shared().hgetall(key));
                fields.keySet().removeAll(NOT_EQUAL.keySet());
                yield fields;
            }
            case "zset" -> List.copyOf(Server.shared().zrangeWithScores(key, 0, -1));
            case "set" -> new TreeSet<>(Server.shared().smembers(key));
            default -> Server.shared().get(key);
        };
    }
}
