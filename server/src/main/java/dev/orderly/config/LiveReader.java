package dev.orderly.config;

import dev.orderly.job.QueueName;
import dev.orderly.live.LiveOptions;
import dev.orderly.room.Rate;
import java.util.List;
import java.util.Set;

/** The part of {@link ConfigReader} about live connections. */
final class LiveReader {
    private final Set<QueueName> queues;
    private final List<Problem> problems;

    LiveReader(Set<QueueName> queues, List<Problem> problems) {
        this.queues = queues;
        this.problems = problems;
    }

    LiveConfig read(Settings file) {
        if (!file.has(LiveTable.LIVE)) {
            return LiveConfig.DEFAULT;
        }
        if (!file.has(UserTable.USERS)) {
            problems.add(
                    file.problem(LiveTable.LIVE, "Live connections belong to users, and the file has no users",
                            "set users.jwt, or remove live"));
        }
        Settings at = file.below(LiveTable.LIVE);
        QueueName queue = at.value(LiveTable.QUEUE).orElse(null);
        boolean fifo = queue != null && queue.isFifo();
        if (queue != null && !queues.contains(queue)) {
            problems.add(ConfigReader.undeclared(at, LiveTable.QUEUE, queue, queues));
        } else if (fifo && !at.has(LiveTable.GROUP)) {
            problems.add(at.problem(LiveTable.QUEUE, "Queue " + queue + " is FIFO, so each job needs a group",
                    "set live.group: user"));
        }
        if (at.has(LiveTable.GROUP) && !fifo) {
            problems.add(at.problem(LiveTable.GROUP, "Only messages for a FIFO queue have a group",
                    "remove it, or name a queue that ends in .fifo"));
        }
        LiveOptions defaults = LiveOptions.DEFAULT;
        LiveOptions options = defaults
                .withConnectionsPerUser(at.value(LiveTable.PER_USER).map(Math::toIntExact)
                        .orElse(defaults.connectionsPerUser()))
                .withConnectionsPerAddress(at.value(LiveTable.PER_ADDRESS).map(Math::toIntExact)
                        .orElse(defaults.connectionsPerAddress()));
        Rate rate = at.value(LiveTable.MESSAGES).orElse(null);
        return new LiveConfig(rate == null ? options : options.withMessages(rate.admissions(), rate.period()), queue);
    }
}
