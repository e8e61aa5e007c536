package dev.orderly.config;

import dev.orderly.config.Entry.Absent;
import dev.orderly.config.Entry.Named;
import dev.orderly.job.QueueName;
import dev.orderly.schedule.ScheduleName;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** The keys of schedules. */
final class ScheduleTable {
    static final Entry.Key<String> CRON = new Entry.Key<>("cron",
            new Kind<>("cron fields, or words such as every 15 minutes, daily at 07:30, never",
                    RoomKinds.text(200, "").read(), "\"0 7 * * *\""),
            new Absent.Refused(),
            "When a job is pushed: minute, hour, day of the month, month, weekday, with seconds in front if there are"
                    + " six fields; or words. See [Schedules](schedules.md).");
    static final Entry.Key<ZoneId> ZONE = new Entry.Key<>("zone",
            new Kind<>("a time zone", ScheduleTable::zone, "Europe/Berlin"), new Absent.Means("UTC"),
            "The time zone of the timing.");
    static final Entry.Key<QueueName> QUEUE = new Entry.Key<>("queue", Kinds.queue().like("reports"),
            new Absent.Refused(), "The job's queue; one of `queues`.");
    static final Entry.Key<String> GROUP = new Entry.Key<>("group", RoomKinds.text(256, "nightly"),
            new Absent.Depends("none; required for a FIFO queue"), "The job's group; FIFO queues only.");
    static final Entry.Any PAYLOAD = new Entry.Any("payload", new Absent.Means("{}"),
            "The job's payload, as JSON.");
    static final Named SCHEDULES = new Named("schedules",
            new Kind<>("the name of a schedule: 1 to 71 letters, digits, '_', '-' and '.', starting with a letter or"
                    + " digit, not ending in .fifo", ScheduleTable::name, "daily-report"),
            List.of(CRON, ZONE, QUEUE, GROUP, PAYLOAD),
            "Jobs that are pushed by the clock, once per instant. An instant is skipped while the schedule's last run"
                    + " has not ended.");

    private ScheduleTable() {}

    static Optional<ScheduleName> name(String text) {
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
