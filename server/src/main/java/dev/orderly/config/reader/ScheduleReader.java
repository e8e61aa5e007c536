package dev.orderly.config.reader;

import dev.orderly.config.ConfigProblem;
import dev.orderly.config.QueueConfig;
import dev.orderly.config.ScheduleConfig;
import dev.orderly.config.schema.ScheduleSchema;
import dev.orderly.config.source.YamlJson;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.Timing;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The part of {@link ConfigReader} about schedules. */
final class ScheduleReader {
    private final Map<QueueName, QueueConfig> queues;
    private final List<ConfigProblem> problems;

    ScheduleReader(Map<QueueName, QueueConfig> queues, List<ConfigProblem> problems) {
        this.queues = queues;
        this.problems = problems;
    }

    List<ScheduleConfig> read(CheckedSection at) {
        List<ScheduleConfig> schedules = new ArrayList<>();
        for (String name : at.node().entries().keySet()) {
            ScheduleSchema.name(name).flatMap(known -> schedule(known, at.below(name))).ifPresent(schedules::add);
        }
        return schedules;
    }

    private Optional<ScheduleConfig> schedule(ScheduleName name, CheckedSection at) {
        Optional<Timing> timing = at.value(ScheduleSchema.CRON)
                .flatMap(text -> timing(at, text, at.value(ScheduleSchema.ZONE).orElse(ZoneId.of("UTC"))));
        Optional<QueueName> queue = at.value(ScheduleSchema.QUEUE);
        Payload payload = new Payload(Payload.JSON, YamlJson.bytes(at.node().entries().get("payload")));
        queue.ifPresent(wanted -> check(at, wanted, payload));
        return timing.isEmpty() || queue.isEmpty()
                ? Optional.empty()
                : Optional.of(new ScheduleConfig(name, timing.get(), queue.get(),
                        at.value(ScheduleSchema.GROUP).orElse(null), payload));
    }

    private Optional<Timing> timing(CheckedSection at, String text, ZoneId zone) {
        try {
            return Optional.of(Timing.parse(text, zone));
        } catch (IllegalArgumentException e) {
            problems.add(at.problem(ScheduleSchema.CRON, "It has to be " + ScheduleSchema.CRON.kind().rule(),
                    String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    private void check(CheckedSection at, QueueName queue, Payload payload) {
        QueueConfig declared = queues.get(queue);
        if (declared == null) {
            problems.add(ConfigReader.undeclared(at, ScheduleSchema.QUEUE, queue, queues.keySet()));
            return;
        }
        if (queue.isFifo() && !at.has(ScheduleSchema.GROUP)) {
            problems.add(at.problem(ScheduleSchema.GROUP, "Queue " + queue + " is FIFO, so its jobs need a group",
                    "for instance group: nightly"));
        } else if (!queue.isFifo() && at.has(ScheduleSchema.GROUP)) {
            problems.add(
                    at.problem(ScheduleSchema.GROUP, "Queue " + queue + " is a standard queue, which has no groups",
                            "remove it, or use a queue whose name ends in .fifo"));
        }
        int most = declared.options().maxPayload();
        if (payload.size() > most) {
            problems.add(at.problem(ScheduleSchema.PAYLOAD, "It has " + payload.size() + " bytes as JSON, and queue "
                    + queue + " takes " + most, "make it smaller, or raise the queue's max-payload"));
        }
    }
}
