package dev.orderly.schedule;

import dev.orderly.job.settings.StoredSettings;
import dev.orderly.store.KeyValueStore;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The schedules that were made at run time, in place of the configuration or a program. A change of one is a change of
 * its settings; {@link ScheduleDefinition#NONE} removes it.
 */
public final class ScheduleDefinitions extends StoredSettings<ScheduleName, ScheduleDefinition> {
    private static final String KEY = "schedule-definitions";

    /** @param listener applies all settings, also those that are as before; must not block */
    public ScheduleDefinitions(KeyValueStore store, Time time,
            Consumer<Map<ScheduleName, ScheduleDefinition>> listener) {
        super(KEY, "schedules", store, time,
                listener);
    }

    /** Whether a key of the store has the schedules that were made at run time. */
    public static boolean isKey(String key) {
        return key.equals(KEY);
    }

    @Override
    protected ScheduleName name(String text) {
        return new ScheduleName(text);
    }

    @Override
    protected ScheduleDefinition none() {
        return ScheduleDefinition.NONE;
    }

    @Override
    protected boolean isNone(ScheduleDefinition settings) {
        return settings.isEmpty();
    }

    @Override
    protected ScheduleDefinition changed(ScheduleDefinition settings, String by, Instant at) {
        return settings.changed(by, at);
    }

    @Override
    protected ObjectNode json(ScheduleDefinition settings) {
        return settings.json();
    }

    @Override
    protected ScheduleDefinition read(JsonNode json) {
        return ScheduleDefinition.read(json);
    }
}
