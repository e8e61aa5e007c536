package dev.orderly.config.schema;

import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Named;
import dev.orderly.job.QueueName;
import dev.orderly.schedule.ScheduleName;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** The keys of schedules. */
public final class ScheduleSchema {
    public static final KeySpec.Key<String> CRON = new KeySpec.Key<>("cron",
            new ValueType<>("cron fields, or words such as every 15 minutes, daily at 07:30, never",
                    RoomValueTypes.text(200, "").read(), "\"0 7 * * *\""),
            new Absent.Refused(),
            "When a job is pushed: minute, hour, day of the month, month, weekday, with seconds in front if there are"
                    + " six fields; or words. See [Schedules](schedules.md).");
    public static final KeySpec.Key<ZoneId> ZONE = new KeySpec.Key<>("zone",
            new ValueType<>("a time zone", ScheduleSchema::zone, "Europe/Berlin"), new Absent.Means("UTC"),
            "The time zone of the timing.");
    public static final KeySpec.Key<QueueName> QUEUE = new KeySpec.Key<>("queue", ValueTypes.queue().like("reports"),
            new Absent.Refused(), "The job's queue; one of `queues`.");
    public static final KeySpec.Key<String> GROUP = new KeySpec.Key<>("group", RoomValueTypes.text(256, "nightly"),
            new Absent.Depends("none; required for a FIFO queue"), "The job's group; FIFO queues only.");
    public static final KeySpec.Any PAYLOAD = new KeySpec.Any("payload", new Absent.Means("{}"),
            "The job's payload, as JSON.");
    public static final Named SCHEDULES = new Named("schedules",
            new ValueType<>(
                    "the name of a schedule: 1 to 71 letters, digits, '_', '-' and '.', starting with a letter or"
                            + " digit, not ending in .fifo",
                    ScheduleSchema::name, "daily-report"),
            List.of(CRON, ZONE, QUEUE, GROUP, PAYLOAD),
            "Jobs that are pushed by the clock, once per instant. An instant is skipped while the schedule's last run"
                    + " has not ended.");

    private ScheduleSchema() {}

    public static Optional<ScheduleName> name(String text) {
        try {
            return Optional.of(new ScheduleName(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Optional<ZoneId> zone(String text) {
        try {
            return Optional.of(ZoneId.of(text));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
