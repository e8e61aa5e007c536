package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Named;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.ValueType;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.config.source.YamlJson;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.Timing;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A schedule of the file.
 *
 * @param group present if and only if the queue is FIFO
 */
public record ScheduleConfig(ScheduleName name, Timing timing, QueueName queue, @Nullable String group,
        Payload payload) {
    static final KeySpec.Key<String> CRON = new KeySpec.Key<>("cron",
            new ValueType<>("cron fields, or words such as every 15 minutes, daily at 07:30, never",
                    RoomValueTypes.text(200, "").read(), "\"0 7 * * *\""),
            new Absent.Refused(),
            "When a job is pushed: minute, hour, day of the month, month, weekday, with seconds in front if there are"
                    + " six fields; or words. See [Schedules](schedules.md).");
    static final KeySpec.Key<ZoneId> ZONE = new KeySpec.Key<>("zone",
            new ValueType<>("a time zone", ScheduleConfig::zone, "Europe/Berlin"), new Absent.Means("UTC"),
            "The time zone of the timing.");
    static final KeySpec.Key<Duration> JITTER = new KeySpec.Key<>("jitter", ValueTypes.duration("1ms", "7d", "10m"),
            new Absent.Depends("none"),
            "The longest time by which a run begins after its instant, by an offset that the name and the instant"
                    + " determine; less than the time between two instants.");
    static final KeySpec.Key<QueueName> QUEUE = new KeySpec.Key<>("queue", ValueTypes.queue().like("reports"),
            new Absent.Refused(), "The job's queue; one of `queues`.");
    static final KeySpec.Key<String> GROUP = new KeySpec.Key<>("group", RoomValueTypes.text(256, "nightly"),
            new Absent.Depends("none; required for a FIFO queue"), "The job's group; FIFO queues only.");
    static final KeySpec.Any PAYLOAD = new KeySpec.Any("payload", new Absent.Means("{}"),
            "The job's payload, as JSON.");
    static final Named SCHEDULES = new Named("schedules",
            new ValueType<>(
                    "the name of a schedule: 1 to 71 letters, digits, '_', '-' and '.', starting with a letter or"
                            + " digit, not ending in .fifo",
                    ScheduleConfig::name, "daily-report"),
            List.of(CRON, ZONE, JITTER, QUEUE, GROUP, PAYLOAD),
            "Jobs that are pushed by the clock, once per instant. An instant is skipped while the schedule's last run"
                    + " has not ended.");

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

    /** Its line in the log, defaults included, without secrets. */
    String inForce() {
        return timing + " -> " + queue + (group == null ? "" : ", group " + group);
    }

    static List<ScheduleConfig> read(CheckedSection at, Map<QueueName, QueueConfig> queues) {
        List<ScheduleConfig> schedules = new ArrayList<>();
        for (String name : at.node().entries().keySet()) {
            name(name).flatMap(known -> schedule(known, at.below(name), queues)).ifPresent(schedules::add);
        }
        return schedules;
    }

    private static Optional<ScheduleConfig> schedule(ScheduleName name, CheckedSection at,
            Map<QueueName, QueueConfig> queues) {
        Optional<Timing> timing = at.value(CRON)
                .flatMap(text -> timing(at, text, at.value(ZONE).orElse(ZoneId.of("UTC"))));
        Optional<QueueName> queue = at.value(QUEUE);
        Payload payload = new Payload(Payload.JSON, YamlJson.bytes(at.node().entries().get(PAYLOAD.name())));
        queue.ifPresent(wanted -> check(at, wanted, payload, queues));
        return timing.isEmpty() || queue.isEmpty()
                ? Optional.empty()
                : Optional.of(new ScheduleConfig(name, timing.get(), queue.get(),
                        at.value(GROUP).orElse(null), payload));
    }

    private static Optional<Timing> timing(CheckedSection at, String text, ZoneId zone) {
        try {
            return jittered(at, Timing.parse(text, zone));
        } catch (IllegalArgumentException e) {
            at.report(CRON, "It has to be " + CRON.kind().rule(),
                    String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static Optional<Timing> jittered(CheckedSection at, Timing timing) {
        try {
            return Optional.of(at.value(JITTER).map(timing::withJitter).orElse(timing));
        } catch (IllegalArgumentException e) {
            at.report(JITTER, "It has to be less than the time between two instants", String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private static void check(CheckedSection at, QueueName queue, Payload payload,
            Map<QueueName, QueueConfig> queues) {
        QueueConfig declared = queues.get(queue);
        if (declared == null) {
            QueueConfig.undeclared(at, QUEUE, queue, queues.keySet());
            return;
        }
        if (queue.isFifo() && !at.has(GROUP)) {
            at.report(GROUP, "Queue " + queue + " is FIFO, so its jobs need a group",
                    "for instance group: nightly");
        } else if (!queue.isFifo() && at.has(GROUP)) {
            at.report(GROUP, "Queue " + queue + " is a standard queue, which has no groups",
                    "remove it, or use a queue whose name ends in .fifo");
        }
        int most = declared.options().maxPayload();
        if (payload.size() > most) {
            at.report(PAYLOAD, "It has " + payload.size() + " bytes as JSON, and queue "
                    + queue + " takes " + most, "make it smaller, or raise the queue's max-payload");
        }
    }
}
