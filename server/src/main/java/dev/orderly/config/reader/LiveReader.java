package dev.orderly.config.reader;

import dev.orderly.config.ConfigProblem;
import dev.orderly.config.LiveConfig;
import dev.orderly.config.schema.LiveSchema;
import dev.orderly.config.schema.UserSchema;
import dev.orderly.job.QueueName;
import dev.orderly.live.LiveOptions;
import dev.orderly.room.Rate;
import java.util.List;
import java.util.Set;

/** The part of {@link ConfigReader} about live connections. */
final class LiveReader {
    private final Set<QueueName> queues;
    private final List<ConfigProblem> problems;

    LiveReader(Set<QueueName> queues, List<ConfigProblem> problems) {
        this.queues = queues;
        this.problems = problems;
    }

    LiveConfig read(CheckedSection file) {
        if (!file.has(LiveSchema.LIVE)) {
            return LiveConfig.DEFAULT;
        }
        if (!file.has(UserSchema.USERS)) {
            problems.add(
                    file.problem(LiveSchema.LIVE, "Live connections belong to users, and the file has no users",
                            "set users.jwt, or remove live"));
        }
        CheckedSection at = file.below(LiveSchema.LIVE);
        QueueName queue = at.value(LiveSchema.QUEUE).orElse(null);
        boolean fifo = queue != null && queue.isFifo();
        if (queue != null && !queues.contains(queue)) {
            problems.add(ConfigReader.undeclared(at, LiveSchema.QUEUE, queue, queues));
        } else if (fifo && !at.has(LiveSchema.GROUP)) {
            problems.add(at.problem(LiveSchema.QUEUE, "Queue " + queue + " is FIFO, so each job needs a group",
                    "set live.group: user"));
        }
        if (at.has(LiveSchema.GROUP) && !fifo) {
            problems.add(at.problem(LiveSchema.GROUP, "Only messages for a FIFO queue have a group",
                    "remove it, or name a queue that ends in .fifo"));
        }
        LiveOptions defaults = LiveOptions.DEFAULT;
        LiveOptions options = defaults
                .withConnectionsPerUser(at.value(LiveSchema.PER_USER).map(Math::toIntExact)
                        .orElse(defaults.connectionsPerUser()))
                .withConnectionsPerAddress(at.value(LiveSchema.PER_ADDRESS).map(Math::toIntExact)
                        .orElse(defaults.connectionsPerAddress()));
        Rate rate = at.value(LiveSchema.MESSAGES).orElse(null);
        return new LiveConfig(rate == null ? options : options.withMessages(rate.admissions(), rate.period()), queue);
    }
}
