package dev.orderly.job.settings;

import dev.orderly.job.QueueName;
import dev.orderly.store.KeyValueStore;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The settings of queues that operators have changed. */
public final class QueueSettings extends StoredSettings<QueueName, QueueOverride> {
    private static final String KEY = "queue-settings";

    /** @param listener applies all settings, also those that are as before; must not block */
    public QueueSettings(KeyValueStore store, Time time, Consumer<Map<QueueName, QueueOverride>> listener) {
        super(KEY, "queues", Objects.requireNonNull(store, "store"), Objects.requireNonNull(time, "time"),
                Objects.requireNonNull(listener, "listener"));
    }

    /** Whether a key of the store has the settings of queues. */
    public static boolean isKey(String key) {
        return key.equals(KEY);
    }

    @Override
    QueueName name(String text) {
        return new QueueName(text);
    }

    @Override
    QueueOverride none() {
        return QueueOverride.NONE;
    }

    @Override
    boolean isNone(QueueOverride settings) {
        return settings.isEmpty();
    }

    @Override
    QueueOverride changed(QueueOverride settings, String by, Instant at) {
        return settings.changed(by, at);
    }

    @Override
    ObjectNode json(QueueOverride settings) {
        return settings.json();
    }

    @Override
    QueueOverride read(JsonNode json) {
        return QueueOverride.read(json);
    }
}
