package dev.orderly.job.settings;

import dev.orderly.Internal;
import dev.orderly.job.QueueName;
import dev.orderly.store.KeyValueStore;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The settings of queues that operators have changed. */
@Internal(to = "dev.orderly")
public final class QueueSettings extends StoredSettings<QueueName, QueueOverride> {
    private static final String KEY = "queue-settings";

    /** @param listener applies all settings, also those that are as before; must not block */
    public QueueSettings(KeyValueStore store, Time time, Consumer<Map<QueueName, QueueOverride>> listener) {
        super(KEY, "queues", store, time,
                listener);
    }

    /** Whether a key of the store has the settings of queues. */
    public static boolean isKey(String key) {
        return key.equals(KEY);
    }

    @Override
    protected QueueName name(String text) {
        return new QueueName(text);
    }

    @Override
    protected QueueOverride none() {
        return QueueOverride.NONE;
    }

    @Override
    protected boolean isNone(QueueOverride settings) {
        return settings.isEmpty();
    }

    @Override
    protected QueueOverride changed(QueueOverride settings, String by, Instant at) {
        return settings.changed(by, at);
    }

    @Override
    protected ObjectNode json(QueueOverride settings) {
        return settings.json();
    }

    @Override
    protected QueueOverride read(JsonNode json) {
        return QueueOverride.read(json);
    }
}
