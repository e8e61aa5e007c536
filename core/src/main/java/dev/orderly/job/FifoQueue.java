package dev.orderly.job;

import dev.orderly.job.transaction.CallersTransaction;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A FIFO queue: jobs of one group run one at a time, in push order, through retries, crashes and restarts; groups run
 * side by side. Every push names a group. Thread-safe.
 *
 * @param <T> the payload's type: anything Jackson can write and read, {@code String}, {@code byte[]} or {@link Payload}
 */
public final class FifoQueue<T> implements JobQueue<T> {
    private final Push.Target target;
    private final QueueName name;
    private final @Nullable Batch batch;

    /** Called by the engine; applications declare queues with {@link dev.orderly.Orderly}. */
    public FifoQueue(Push.Target target, QueueName name) {
        this(Objects.requireNonNull(target, "target"), Objects.requireNonNull(name, "name"), null);
    }

    private FifoQueue(Push.Target target, QueueName name, @Nullable Batch batch) {
        this.target = target;
        this.name = name;
        this.batch = batch;
    }

    @Override
    public QueueName name() {
        return name;
    }

    /**
     * A push into one group. Use the narrowest key that needs order, such as a user or an order, never one group for
     * all jobs. Without {@link GroupPush#dedupe}, an equal job (content type, payload, params and user; inside a
     * handler pushed by the same job) pushed into the group within five minutes is a duplicate: nothing is stored, and
     * the push returns the id of the first job. {@link GroupPush#tryPush} tells a duplicate from a new job, and {@link
     * QueueOptions#withContentDedupe} switches this off.
     *
     * @param groupId 1 to 256 characters, no control characters
     */
    public GroupPush<T> group(String groupId) {
        GroupPush<T> push = new GroupPush<>(target, name, Objects.requireNonNull(groupId, "groupId"));
        return batch == null ? push : push.in(batch);
    }

    /** Stores jobs of several groups atomically; inside a group in list order. Otherwise as {@link Push#pushAll}. */
    public List<JobId> pushAll(List<? extends T> payloads, Function<? super T, String> groupOf) {
        Objects.requireNonNull(groupOf, "groupOf");
        Objects.requireNonNull(payloads, "payloads");
        return Push.ids(target.push(Push.requests(payloads, payload -> group(groupOf.apply(payload)).with(payload))));
    }

    /** This queue with pushes that make members of a batch. As {@link Push#in(Batch)}. */
    public FifoQueue<T> in(Batch members) {
        return new FifoQueue<>(target, name, Objects.requireNonNull(members, "members"));
    }

    /** This queue with pushes that are part of the caller's own transaction. As {@link Push#in(Connection)}. */
    public FifoQueue<T> in(Connection connection) {
        return new FifoQueue<>(target.in(new CallersTransaction.OnConnection(connection)), name, batch);
    }

    /** As {@link Push#in(DataSource)}. */
    public FifoQueue<T> in(DataSource dataSource) {
        return new FifoQueue<>(target.in(new CallersTransaction.OfDataSource(dataSource)), name, batch);
    }
}
