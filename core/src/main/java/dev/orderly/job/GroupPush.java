package dev.orderly.job;

import dev.orderly.user.UserId;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Builder of a push into one group of a FIFO queue. As {@link Push}, without delay and priority, which contradict the
 * order of a group.
 *
 * @param <T> the payload's type
 */
public final class GroupPush<T> {
    private final Push<T> push;

    /** Called by the engine; applications use {@link FifoQueue#group}. */
    public GroupPush(Push.Target target, QueueName queue, String group) {
        this(new Push<>(Objects.requireNonNull(target, "target"), PushRequest.of(queue.value(), Push.NOTHING)
                .withGroup(Objects.requireNonNull(group, "group"))));
    }

    private GroupPush(Push<T> push) {
        this.push = push;
    }

    /** As {@link Push#with}. */
    public PushRequest with(T payload) {
        return push.with(payload);
    }

    /** As {@link Push#dedupe}; ids of different groups are different. */
    public GroupPush<T> dedupe(String dedupeId) {
        return new GroupPush<>(push.dedupe(dedupeId));
    }

    /** As {@link Push#dedupe(String, Duration)}. */
    public GroupPush<T> dedupe(String dedupeId, Duration window) {
        return new GroupPush<>(push.dedupe(dedupeId, window));
    }

    /** As {@link Push#unique}; keys of different groups are different. */
    public GroupPush<T> unique(String key) {
        return new GroupPush<>(push.unique(key));
    }

    /** As {@link Push#expires}. */
    public GroupPush<T> expires(Duration expires) {
        return new GroupPush<>(push.expires(expires));
    }

    /** As {@link Push#retry}. */
    public GroupPush<T> retry(RetryPolicy retry) {
        return new GroupPush<>(push.retry(retry));
    }

    /** As {@link Push#timeout}. */
    public GroupPush<T> timeout(Duration timeout) {
        return new GroupPush<>(push.timeout(timeout));
    }

    /** As {@link Push#cost}. */
    public GroupPush<T> cost(int cost) {
        return new GroupPush<>(push.cost(cost));
    }

    /** As {@link Push#params}. */
    public GroupPush<T> params(Map<String, String> params) {
        return new GroupPush<>(push.params(params));
    }

    /** As {@link Push#user}. */
    public GroupPush<T> user(UserId user) {
        return new GroupPush<>(push.user(user));
    }

    /** As {@link Push#in(Batch)}. */
    public GroupPush<T> in(Batch batch) {
        return new GroupPush<>(push.in(batch));
    }

    /** As {@link Push#in(Connection)}. */
    public GroupPush<T> in(Connection connection) {
        return new GroupPush<>(push.in(connection));
    }

    /** As {@link Push#in(DataSource)}. */
    public GroupPush<T> in(DataSource dataSource) {
        return new GroupPush<>(push.in(dataSource));
    }

    /** As {@link Push#push}. */
    public JobId push(T payload) {
        return push.push(payload);
    }

    /** As {@link Push#tryPush}. */
    public Push.Answer tryPush(T payload) {
        return push.tryPush(payload);
    }

    /** As {@link Push#pushAll}. */
    public List<JobId> pushAll(List<? extends T> payloads) {
        Objects.requireNonNull(payloads, "payloads");
        return push.pushAll(payloads);
    }
}
