package dev.orderly.job.settings;

import dev.orderly.job.LimitName;
import dev.orderly.store.KeyValueStore;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The bounds of limits that operators have changed. */
public final class LimitSettings extends StoredSettings<LimitName, LimitOverride> {
    private static final String KEY = "limit-settings";

    /** @param listener applies all settings, also those that are as before; must not block */
    public LimitSettings(KeyValueStore store, Time time, Consumer<Map<LimitName, LimitOverride>> listener) {
        super(KEY, "limits", store, time,
                listener);
    }

    /** Whether a key of the store has the settings of limits. */
    public static boolean isKey(String key) {
        return key.equals(KEY);
    }

    @Override
    protected LimitName name(String text) {
        return new LimitName(text);
    }

    @Override
    protected LimitOverride none() {
        return LimitOverride.NONE;
    }

    @Override
    protected boolean isNone(LimitOverride settings) {
        return settings.isEmpty();
    }

    @Override
    protected LimitOverride changed(LimitOverride settings, String by, Instant at) {
        return settings.changed(by, at);
    }

    @Override
    protected ObjectNode json(LimitOverride settings) {
        return settings.json();
    }

    @Override
    protected LimitOverride read(JsonNode json) {
        return LimitOverride.read(json);
    }
}
