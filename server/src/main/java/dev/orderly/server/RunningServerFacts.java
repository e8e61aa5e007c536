package dev.orderly.server;

import dev.orderly.ProgramVersion;
import dev.orderly.Store;
import dev.orderly.about.About;
import dev.orderly.about.ConfigValue;
import dev.orderly.about.ConfigValue.Source;
import dev.orderly.about.ServerFacts;
import dev.orderly.config.schema.UnitText;
import dev.orderly.http.health.Readiness;
import dev.orderly.job.settings.QueueOverride;
import dev.orderly.job.settings.QueueSettings;
import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.gate.Room;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.store.StoreException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a server.
 *
 * @param values the configuration in force, as it was read
 * @param settings the settings of queues that operators have changed
 */
record RunningServerFacts(Supplier<List<ConfigValue>> values, QueueSettings settings, RoomEngine rooms, Store store,
        Server server) implements ServerFacts {
    /**
     * What does not change while the server runs, and its checks.
     *
     * @param derived the values of keys whose defaults depend on the process
     */
    record Server(Instant startedAt, Readiness readiness, Supplier<List<About.Listener>> listeners,
            Map<String, String> derived) {}

    @Override
    public List<ConfigValue> config() {
        Map<String, ConfigValue> byKey = new LinkedHashMap<>();
        values.get().forEach(value -> byKey.put(value.key(), inForce(value)));
        settings.all().forEach((queue, override) -> override(byKey, "queues." + queue + ".", override));
        rooms.rooms().forEach(room -> limits(byKey, room));
        return List.copyOf(byKey.values());
    }

    private ConfigValue inForce(ConfigValue value) {
        String derived = value.source() == Source.DEFAULT ? server.derived.get(value.key()) : null;
        return derived == null
                ? value
                : new ConfigValue(value.key(), derived + " (" + value.value() + ")", Source.DEFAULT, value.place());
    }

    private static void override(Map<String, ConfigValue> values, String prefix, QueueOverride override) {
        String by = override.by() + ", " + override.at().truncatedTo(ChronoUnit.SECONDS);
        change(values, prefix + "concurrency", override.concurrency(), by);
        change(values, prefix + "timeout",
                override.timeout() == null ? null : UnitText.text(override.timeout()), by);
        change(values, prefix + "max-pending", override.maxPending(), by);
        change(values, prefix + "max-leased", override.maxLeased(), by);
    }

    private static void limits(Map<String, ConfigValue> values, Room room) {
        Limits limits = room.state().override();
        if (limits != null) {
            Rate rate = limits.rate();
            String prefix = "rooms." + room.name() + ".";
            change(values, prefix + "capacity", limits.capacity() == null ? "none" : limits.capacity(), "");
            change(values, prefix + "rate", rate == null ? "none" : rate, "");
        }
    }

    private static void change(Map<String, ConfigValue> values, String key, @Nullable Object value, String by) {
        if (value != null) {
            values.put(key, new ConfigValue(key, value.toString(), Source.OPERATOR, by));
        }
    }

    @Override
    public About about() {
        return new About(ProgramVersion.current(), server.startedAt, ServerFacts.javaText(), ServerFacts.systemText(),
                store.name(), storeFacts(), server.listeners.get(), server.readiness.results(),
                server.readiness.warnings());
    }

    private Map<String, String> storeFacts() {
        try {
            return store.facts();
        } catch (StoreException e) {
            return Map.of("unreachable", String.valueOf(e.getMessage()));
        }
    }
}
