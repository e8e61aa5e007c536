package dev.orderly.config.schema;

import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.job.QueueName;
import dev.orderly.live.LiveOptions;
import dev.orderly.room.Rate;
import java.util.List;

/** The keys of live connections. */
public final class LiveSchema {
    /** The group of a message's job. */
    enum Grouping {
        USER
    }

    public static final KeySpec.Key<QueueName> QUEUE = new KeySpec.Key<>("queue", ValueTypes.queue(),
            new Absent.Depends("none: senders get an error"),
            "The queue in which users' messages become jobs. Such a job belongs to the user, its param `connection` is"
                    + " the connection's id, and its content is `application/json`, `text/plain; charset=utf-8` or"
                    + " `application/octet-stream`.");
    public static final KeySpec.Key<Grouping> GROUP = new KeySpec.Key<>("group", ValueTypes.choice(Grouping.class),
            new Absent.Depends("required with a FIFO queue"),
            "FIFO queues only: each user's messages are a group, handled in the order of arrival.");
    public static final KeySpec.Key<Long> PER_USER = new KeySpec.Key<>("connections-per-user",
            ValueTypes.count(1, 1_000, "20"),
            new Absent.Means(Integer.toString(LiveOptions.DEFAULT.connectionsPerUser())),
            "Devices and tabs of one user that may be connected at once.");
    public static final KeySpec.Key<Long> PER_ADDRESS = new KeySpec.Key<>("connections-per-address",
            ValueTypes.count(1, 100_000, "200"),
            new Absent.Means(Integer.toString(LiveOptions.DEFAULT.connectionsPerAddress())),
            "Connections of one address at once; an IPv6 /64 counts as one address.");
    public static final KeySpec.Key<Rate> MESSAGES = new KeySpec.Key<>("messages",
            new ValueType<>("a number of at most 10000 and a time of 1s to 1h",
                    text -> RoomValueTypes.rate("").read().apply(text)
                            .filter(rate -> rate.admissions() <= 10_000),
                    "20 per 1s"),
            new Absent.Means("20 per 1s"),
            "Messages that one user may send over all connections; ten times as many from one address, twice as many at"
                    + " once after a pause.");
    public static final Group LIVE = new Group("live", List.of(QUEUE, GROUP, PER_USER, PER_ADDRESS, MESSAGES),
            "Live connections of users at `/.orderly/live`, enabled by `users`. They carry messages of jobs and"
                    + " programs to the user, and turn messages of the user into jobs.");

    private LiveSchema() {}
}
