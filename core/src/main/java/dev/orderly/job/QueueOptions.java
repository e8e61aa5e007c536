package dev.orderly.job;

import dev.orderly.text.DurationText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one queue on one node. Immutable: each method returns a copy, and throws
 * {@link IllegalArgumentException} if the value is out of its bounds; the message names both. Applications change those
 * of a kind of queue where they declare it.
 *
 * {@snippet :
 * orderly.queue("reports", Report.class, o -> o.withConcurrency(4).withTimeout(Duration.ofMinutes(30)));
 * }
 */
public final class QueueOptions {
    /** The hard limit of a payload: 1 MiB. */
    public static final int PAYLOAD_LIMIT = 1 << 20;

    /** The largest {@link #keyMaxPending}: a look at the store counts the jobs. */
    public static final int KEY_PENDING_LIMIT = 100_000;

    /** The longest timeout. */
    public static final Duration TIMEOUT_LIMIT = Duration.ofDays(7);

    /**
     * The defaults of standard queues: concurrency 32, timeout 5 minutes, 12 attempts, payloads of 256 KiB, 10 million
     * pending and 10,000 leased jobs, 15 minutes for unreadable payloads, dedupe by content on a FIFO queue, no limit
     * over all nodes, no key.
     */
    public static final QueueOptions STANDARD = new QueueOptions(new Values(32, Duration.ofMinutes(5),
            RetryPolicy.STANDARD, OnDead.CONTINUE, 256 << 10, 10_000_000, 10_000, Duration.ofMinutes(15), true,
            new Bounds(null, null, null, null, null)));

    /** The defaults of FIFO queues: as {@link #STANDARD}, with {@link RetryPolicy#FIFO}. */
    public static final QueueOptions FIFO = STANDARD.withRetry(RetryPolicy.FIFO);

    private final Values values;

    private record Values(int concurrency, Duration timeout, RetryPolicy retry, OnDead onDead, int maxPayload,
            long maxPending, long maxLeased, Duration unreadableFor, boolean contentDedupe, Bounds bounds) {
        Values {
            check(concurrency >= 1 && concurrency <= 100_000, "concurrency", concurrency, "1 to 100000");
            check(timeout.toMillis() >= 1 && timeout.compareTo(TIMEOUT_LIMIT) <= 0, "timeout", timeout,
                    "1 ms to 7 days");
            check(maxPayload >= 1 && maxPayload <= PAYLOAD_LIMIT, "maxPayload", maxPayload, "1 to " + PAYLOAD_LIMIT);
            check(maxPending >= 1, "maxPending", maxPending, "1 or more");
            check(maxLeased >= 1, "maxLeased", maxLeased, "1 or more");
            check(!unreadableFor.isNegative() && unreadableFor.compareTo(TIMEOUT_LIMIT) <= 0, "unreadableFor",
                    unreadableFor, "0 to 7 days");
        }
    }

    /** What counts over all nodes. */
    private record Bounds(@Nullable LimitName limitName, @Nullable Limit limit, @Nullable KeyRule key,
            @Nullable Limit perKey, @Nullable Integer keyMaxPending) {}

    private QueueOptions(Values values) {
        this.values = values;
    }

    /** The defaults for a queue of this name. */
    public static QueueOptions defaultsFor(QueueName queue) {
        Objects.requireNonNull(queue, "queue");
        return queue.isFifo() ? FIFO : STANDARD;
    }

    /** Handlers that run at once on this node, 1 to 100,000; on a FIFO queue each handler works on one group. */
    public int concurrency() {
        return values.concurrency;
    }

    /** The longest duration of one attempt, 1 ms to 7 days. */
    public Duration timeout() {
        return values.timeout;
    }

    /** Backoff and number of attempts. */
    public RetryPolicy retry() {
        return values.retry;
    }

    /** The effect of a dead letter on its group; none on a standard queue. */
    public OnDead onDead() {
        return values.onDead;
    }

    /** The largest payload in bytes, 1 to {@value #PAYLOAD_LIMIT}. */
    public int maxPayload() {
        return values.maxPayload;
    }

    /**
     * Waiting and delayed jobs from which on pushes are refused, 1 or more; checked against a count that may lag by a
     * second.
     */
    public long maxPending() {
        return values.maxPending;
    }

    /**
     * Running jobs without a node, as {@link Job#detach} leaves them, from which on no further job of the queue starts,
     * 1 or more; checked against a count that may lag by some seconds.
     */
    public long maxLeased() {
        return values.maxLeased;
    }

    /**
     * The time for which a job waits whose payload no live node that works on the queue can read, before it becomes a
     * dead letter; 0 to 7 days, 0 for at once.
     */
    public Duration unreadableFor() {
        return values.unreadableFor;
    }

    /**
     * Whether a push without a dedupe id is a duplicate of an equal job (content type, payload, params, user, pushing
     * job) that was pushed into its group within five minutes; without effect on a standard queue.
     */
    public boolean contentDedupe() {
        return values.contentDedupe;
    }

    /** The name of the limit over all nodes that the queue shares with others; empty for none. */
    public Optional<LimitName> limitName() {
        return Optional.ofNullable(values.bounds.limitName);
    }

    /** The limit over all nodes that the queue has for itself; empty for none. */
    public Optional<Limit> limit() {
        return Optional.ofNullable(values.bounds.limit);
    }

    /** How the key of a job is computed at its push; empty if the queue has no keys. */
    public Optional<KeyRule> key() {
        return Optional.ofNullable(values.bounds.key);
    }

    /** The bound on the jobs of each key, or group of a FIFO queue, over all nodes; empty for none. */
    public Optional<Limit> perKey() {
        return Optional.ofNullable(values.bounds.perKey);
    }

    /**
     * Waiting and delayed jobs of one key, or group of a FIFO queue, from which on its pushes are refused, 1 to
     * {@value #KEY_PENDING_LIMIT}; empty for no bound. Checked against a count that may lag by a second.
     */
    public OptionalInt keyMaxPending() {
        Integer most = values.bounds.keyMaxPending;
        return most == null ? OptionalInt.empty() : OptionalInt.of(most);
    }

    public QueueOptions withConcurrency(int value) {
        return new QueueOptions(new Values(value, values.timeout, values.retry, values.onDead, values.maxPayload,
                values.maxPending, values.maxLeased, values.unreadableFor,
                values.contentDedupe, values.bounds));
    }

    public QueueOptions withTimeout(Duration value) {
        Objects.requireNonNull(value, "value");
        return new QueueOptions(new Values(values.concurrency, value, values.retry, values.onDead, values.maxPayload,
                values.maxPending, values.maxLeased, values.unreadableFor,
                values.contentDedupe, values.bounds));
    }

    public QueueOptions withRetry(RetryPolicy value) {
        Objects.requireNonNull(value, "value");
        return new QueueOptions(new Values(values.concurrency, values.timeout, value, values.onDead, values.maxPayload,
                values.maxPending, values.maxLeased, values.unreadableFor,
                values.contentDedupe, values.bounds));
    }

    public QueueOptions withOnDead(OnDead value) {
        Objects.requireNonNull(value, "value");
        return new QueueOptions(new Values(values.concurrency, values.timeout, values.retry, value, values.maxPayload,
                values.maxPending, values.maxLeased, values.unreadableFor,
                values.contentDedupe, values.bounds));
    }

    public QueueOptions withMaxPayload(int value) {
        return new QueueOptions(new Values(values.concurrency, values.timeout, values.retry, values.onDead, value,
                values.maxPending, values.maxLeased, values.unreadableFor,
                values.contentDedupe, values.bounds));
    }

    public QueueOptions withMaxPending(long value) {
        return new QueueOptions(new Values(values.concurrency, values.timeout, values.retry, values.onDead,
                values.maxPayload, value, values.maxLeased, values.unreadableFor,
                values.contentDedupe, values.bounds));
    }

    public QueueOptions withMaxLeased(long value) {
        return new QueueOptions(new Values(values.concurrency, values.timeout, values.retry, values.onDead,
                values.maxPayload, values.maxPending, value, values.unreadableFor,
                values.contentDedupe, values.bounds));
    }

    public QueueOptions withUnreadableFor(Duration value) {
        Objects.requireNonNull(value, "value");
        return new QueueOptions(new Values(values.concurrency, values.timeout, values.retry, values.onDead,
                values.maxPayload, values.maxPending, values.maxLeased, value, values.contentDedupe, values.bounds));
    }

    public QueueOptions withContentDedupe(boolean value) {
        return new QueueOptions(new Values(values.concurrency, values.timeout, values.retry, values.onDead,
                values.maxPayload, values.maxPending, values.maxLeased, values.unreadableFor, value, values.bounds));
    }

    /** Shares a limit over all nodes, which the application declares by its name, in place of any other limit. */
    public QueueOptions withLimit(String name) {
        Objects.requireNonNull(name, "name");
        return withLimit(new LimitName(name), null);
    }

    /** Has a limit over all nodes for itself, in place of any other limit. */
    public QueueOptions withLimit(Limit value) {
        Objects.requireNonNull(value, "value");
        return withLimit(null, value);
    }

    private QueueOptions withLimit(@Nullable LimitName name, @Nullable Limit own) {
        return new QueueOptions(new Values(values.concurrency, values.timeout, values.retry, values.onDead,
                values.maxPayload, values.maxPending, values.maxLeased, values.unreadableFor, values.contentDedupe,
                new Bounds(name, own, values.bounds.key, values.bounds.perKey, values.bounds.keyMaxPending)));
    }

    /** Gives each job a key, for {@link #withPerKey} and for turns between keys; not on a FIFO queue. */
    public QueueOptions withKey(KeyRule value) {
        Objects.requireNonNull(value, "value");
        return withKeys(value, values.bounds.perKey, values.bounds.keyMaxPending);
    }

    /** As {@link #withKey(KeyRule)}, with the rule as the configuration writes it: {@link KeyRule#parse}. */
    public QueueOptions withKey(String value) {
        Objects.requireNonNull(value, "value");
        return withKey(KeyRule.parse(value));
    }

    /**
     * As {@link #withKey(KeyRule)}, with the key as a value of the payload: {@link KeyRule#by}.
     *
     * @param <T> the payload's type, as in {@code withKey(Export::tenant)}
     */
    public <T> QueueOptions withKey(Function<? super T, ?> value) {
        Objects.requireNonNull(value, "value");
        return withKey(KeyRule.by(value));
    }

    /**
     * Bounds the jobs of each key, over all nodes; the queue needs a key. On a FIFO queue the starts of each group: its
     * concurrency is 1 anyway.
     */
    public QueueOptions withPerKey(Limit value) {
        Objects.requireNonNull(value, "value");
        return withKeys(values.bounds.key, value, values.bounds.keyMaxPending);
    }

    /** Bounds the waiting and delayed jobs of each key; the queue needs a key, or is FIFO: then of each group. */
    public QueueOptions withKeyMaxPending(int value) {
        check(value >= 1 && value <= KEY_PENDING_LIMIT, "keyMaxPending", value, "1 to " + KEY_PENDING_LIMIT);
        return withKeys(values.bounds.key, values.bounds.perKey, value);
    }

    private QueueOptions withKeys(@Nullable KeyRule key, @Nullable Limit perKey,
            @Nullable Integer keyMaxPending) {
        return new QueueOptions(new Values(values.concurrency, values.timeout, values.retry, values.onDead,
                values.maxPayload, values.maxPending, values.maxLeased, values.unreadableFor, values.contentDedupe,
                new Bounds(values.bounds.limitName, values.bounds.limit, key, perKey, keyMaxPending)));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QueueOptions options && values.equals(options.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return "QueueOptions" + values.toString().substring("Values".length());
    }

    private static void check(boolean holds, String name, Object value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("Queue option " + name + " is "
                    + (value instanceof Duration span ? DurationText.of(span) : value) + ": use " + rule);
        }
    }
}
