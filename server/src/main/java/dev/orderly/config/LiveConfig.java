package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueType;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.job.QueueName;
import dev.orderly.live.LiveOptions;
import dev.orderly.room.Rate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Live connections.
 *
 * @param queue queue for users' messages; on a FIFO queue each user is a group. Null if messages have no receiver
 */
public record LiveConfig(LiveOptions options, @Nullable QueueName queue) {
    /** Connections that only receive. */
    static final LiveConfig DEFAULT = new LiveConfig(LiveOptions.DEFAULT, null);

    /** The group of a message's job. */
    enum Grouping {
        USER
    }

    static final KeySpec.Key<QueueName> QUEUE = new KeySpec.Key<>("queue", ValueTypes.queue(),
            new Absent.Depends("none: senders get an error"),
            "The queue in which users' messages become jobs. Such a job belongs to the user, its param `connection` is"
                    + " the connection's id, and its content is `application/json`, `text/plain; charset=utf-8` or"
                    + " `application/octet-stream`.");
    static final KeySpec.Key<Grouping> GROUP = new KeySpec.Key<>("group", ValueTypes.choice(Grouping.class),
            new Absent.Depends("required with a FIFO queue"),
            "FIFO queues only: each user's messages are a group, handled in the order of arrival.");
    static final KeySpec.Key<Long> PER_USER = new KeySpec.Key<>("connections-per-user",
            ValueTypes.count(1, 1_000, "20"),
            new Absent.Means(Integer.toString(LiveOptions.DEFAULT.connectionsPerUser())),
            "Devices and tabs of one user that may be connected at once.");
    static final KeySpec.Key<Long> PER_ADDRESS = new KeySpec.Key<>("connections-per-address",
            ValueTypes.count(1, 100_000, "200"),
            new Absent.Means(Integer.toString(LiveOptions.DEFAULT.connectionsPerAddress())),
            "Connections of one address at once; an IPv6 /64 counts as one address.");
    static final KeySpec.Key<Rate> MESSAGES = new KeySpec.Key<>("messages",
            new ValueType<>("a number of at most 10000 and a time of 1s to 1h",
                    text -> RoomValueTypes.rate("").read().apply(text)
                            .filter(rate -> rate.admissions() <= 10_000),
                    "20 per 1s"),
            new Absent.Means("20 per 1s"),
            "Messages that one user may send over all connections; ten times as many from one address, twice as many at"
                    + " once after a pause.");
    static final Group LIVE = new Group("live", List.of(QUEUE, GROUP, PER_USER, PER_ADDRESS, MESSAGES),
            "Live connections of users at `/.orderly/live`, enabled by `users`. They carry messages of jobs and"
                    + " programs to the user, and turn messages of the user into jobs.");

    /** Its line in the log, defaults included, without secrets. */
    String inForce() {
        return "messages to " + (queue == null ? "nobody" : "queue " + queue) + ", "
                + options.messages() + " per " + UnitText.text(options.per()) + ", connections "
                + options.connectionsPerUser()
                + " a user, " + options.connectionsPerAddress() + " an address";
    }

    static LiveConfig read(CheckedSection file, Set<QueueName> queues) {
        if (!file.has(LIVE)) {
            return LiveConfig.DEFAULT;
        }
        if (!file.has(UserConfig.USERS)) {
            file.report(LIVE, "Live connections belong to users, and the file has no users",
                    "set users.jwt, or remove live");
        }
        CheckedSection at = file.below(LIVE);
        QueueName queue = at.value(QUEUE).orElse(null);
        boolean fifo = queue != null && queue.isFifo();
        if (queue != null && !queues.contains(queue)) {
            QueueConfig.undeclared(at, QUEUE, queue, queues);
        } else if (fifo && !at.has(GROUP)) {
            at.report(QUEUE, "Queue " + queue + " is FIFO, so each job needs a group",
                    "set live.group: user");
        }
        if (at.has(GROUP) && !fifo) {
            at.report(GROUP, "Only messages for a FIFO queue have a group",
                    "remove it, or name a queue that ends in .fifo");
        }
        LiveOptions defaults = LiveOptions.DEFAULT;
        LiveOptions options = defaults
                .withConnectionsPerUser(at.value(PER_USER).map(Math::toIntExact)
                        .orElse(defaults.connectionsPerUser()))
                .withConnectionsPerAddress(at.value(PER_ADDRESS).map(Math::toIntExact)
                        .orElse(defaults.connectionsPerAddress()));
        Rate rate = at.value(MESSAGES).orElse(null);
        return new LiveConfig(rate == null ? options : options.withMessages(rate.admissions(), rate.period()), queue);
    }
}
