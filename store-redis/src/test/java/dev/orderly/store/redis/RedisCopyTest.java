package dev.orderly.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.VisitorStore;
import dev.orderly.store.copy.CopyResult;
import dev.orderly.testkit.contract.copy.CopyContract;
import dev.orderly.testkit.contract.copy.CopyState;
import dev.orderly.testkit.contract.copy.CopyTrial;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RedisCopyTest extends CopyContract {
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
            Map.entry("tiers", "has horizons, which gates report anew; random runs over copies compare the lines"),
            Map.entry("voids", "changes with each change of the revoked visitors"),
            Map.entry("version", "each store draws its own"));

    @Override
    protected Place place() {
        return new PrefixPlace();
    }

    @Test
    void aStoreWithALiveGateIsRefused() {
        try (Place from = place(); Place to = place()) {
            VisitorStore source = from.open();
            Instant now = Time.system().now();
            new CopyState(1, now).fill(source);
            assertThat(CopyTrial.run(source.copying(), to.open().copying(), now)).isEqualTo(new CopyResult.Refused(
                    "A store is in use, the source by gates of room sale, the source by gates of room tour: stop every"
                            + " node, and try again 30 s after the last one"));
        }
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

    /** A prefix of keys on the tests' server. */
    private static final class PrefixPlace implements Place {
        private final RedisOptions options = Server.fresh();
        private Optional<RedisStore> opened = Optional.empty();

        @Override
        public RedisStore open() {
            opened.ifPresent(RedisStore::close);
            RedisStore store = Server.open(options);
            opened = Optional.of(store);
            return store;
        }

        @Override
        public Map<String, List<String>> content(Instant now) {
            Map<String, List<String>> found = new TreeMap<>();
            for (String key : Server.shared().keys(options.prefix() + ":*")) {
                if (NOT_EQUAL.keySet().stream().noneMatch(key::endsWith)) {
                    found.put(key.substring(options.prefix().length()), List.of(RedisCopyTest.content(key).toString()));
                }
            }
            return found;
        }

        @Override
        public void close() {
            opened.ifPresent(RedisStore::close);
            Server.clean(options);
        }
    }
}
