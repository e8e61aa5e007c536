package dev.orderly.job;

import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * A standard queue: its jobs are independent and run side by side, roughly in push order. Thread-safe.
 *
 * @param <T> the payload's type: anything Jackson can write and read, {@code String}, {@code byte[]} or {@link Payload}
 */
public final class StandardQueue<T> implements JobQueue<T> {
    private final Push.Target target;
    private final QueueName name;
    private final Push<T> plain;

    /** Called by the engine; applications declare queues with {@link dev.orderly.Orderly}. */
    public StandardQueue(Push.Target target, QueueName name) {
        this.target = Objects.requireNonNull(target, "target");
        this.name = Objects.requireNonNull(name, "name");
        this.plain = new Push<>(target, name);
    }

    @Override
    public QueueName name() {
        return name;
    }

    /** As {@link Push#push}. */
    public JobId push(T payload) {
        return plain.push(payload);
    }

    /** As {@link Push#tryPush}. */
    public Push.Answer tryPush(T payload) {
        return plain.tryPush(payload);
    }

    /** As {@link Push#pushAll}. */
    public List<JobId> pushAll(List<? extends T> payloads) {
        Objects.requireNonNull(payloads, "payloads");
        return plain.pushAll(payloads);
    }

    /** As {@link Push#delay}. */
    public Push<T> delay(Duration delay) {
        return plain.delay(delay);
    }

    /** As {@link Push#runAt}. */
    public Push<T> runAt(Instant moment) {
        return plain.runAt(moment);
    }

    /** As {@link Push#priority}. */
    public Push<T> priority(Priority priority) {
        return plain.priority(priority);
    }

    /** As {@link Push#dedupe}; on a standard queue, pushes without a dedupe id are never duplicates. */
    public Push<T> dedupe(String dedupeId) {
        return plain.dedupe(dedupeId);
    }

    /** As {@link Push#dedupe(String, Duration)}. */
    public Push<T> dedupe(String dedupeId, Duration window) {
        return plain.dedupe(dedupeId, window);
    }

    /** As {@link Push#debounce}. */
    public Push<T> debounce(String key, Duration quiet) {
        return plain.debounce(key, quiet);
    }

    /** As {@link Push#unique}. */
    public Push<T> unique(String key) {
        return plain.unique(key);
    }

    /** As {@link Push#expires}. */
    public Push<T> expires(Duration expires) {
        return plain.expires(expires);
    }

    /** As {@link Push#retry}. */
    public Push<T> retry(RetryPolicy retry) {
        return plain.retry(retry);
    }

    /** As {@link Push#timeout}. */
    public Push<T> timeout(Duration timeout) {
        return plain.timeout(timeout);
    }

    /** As {@link Push#cost}. */
    public Push<T> cost(int cost) {
        return plain.cost(cost);
    }

    /** As {@link Push#params}. */
    public Push<T> params(Map<String, String> params) {
        return plain.params(params);
    }

    /** As {@link Push#user}. */
    public Push<T> user(UserId user) {
        return plain.user(user);
    }

    /** This queue with pushes that are part of the caller's own transaction. As {@link Push#in(Connection)}. */
    public StandardQueue<T> in(Connection connection) {
        return new StandardQueue<>(target.in(new CallersTransaction.OnConnection(connection)), name);
    }

    /** As {@link Push#in(DataSource)}. */
    public StandardQueue<T> in(DataSource dataSource) {
        return new StandardQueue<>(target.in(new CallersTransaction.OfDataSource(dataSource)), name);
    }
    /** As {@link Push#in(Batch)}. */
    public Push<T> in(Batch batch) {
        return plain.in(batch);
    }

}
