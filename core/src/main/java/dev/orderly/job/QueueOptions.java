package dev.orderly.job;

import java.time.Duration;

/**
 * The settings of one queue on one node.
 *
 * @param concurrency handlers that run at once on this node, 1 to 100,000; on a FIFO queue each handler works on one
 *     group
 * @param timeout longest duration of one attempt, 1 ms to 7 days
 * @param retry backoff and number of attempts
 * @param onDead effect of a dead letter on its group; none on a standard queue
 * @param maxPayload largest payload in bytes, 1 to {@value #PAYLOAD_LIMIT}
 * @param maxPending waiting and delayed jobs from which on pushes are refused, 1 or more; checked against a count that
 *     may lag by a second
 * @param maxLeased running jobs without a node, as {@link Job#later} leaves them, from which on no further job of the
 *     queue starts, 1 or more; checked against a count that may lag by some seconds
 * @param unreadableFor time for which a job waits whose payload no live node that works on the queue can read, before
 *     it becomes a dead letter; 0 to 7 days, 0 for at once
 * @param contentDedupe whether a push without a dedupe id is a duplicate of an equal job (content type, payload,
 *     params, user, pushing job) that was pushed into its group within five minutes; without effect on a standard queue
 */
public record QueueOptions(int concurrency, Duration timeout, RetryPolicy retry, OnDead onDead, int maxPayload,
        long maxPending, long maxLeased, Duration unreadableFor, boolean contentDedupe) {
    /** The hard limit of a payload: 1 MiB. */
    public static final int PAYLOAD_LIMIT = 1 << 20;

    /** The longest timeout. */
    public static final Duration TIMEOUT_LIMIT = Duration.ofDays(7);

    /**
     * Concurrency 32, timeout 5 minutes, 12 attempts, payloads of 256 KiB, 10 million pending and 10,000 leased jobs,
     * 15 minutes for unreadable payloads, dedupe by content on a FIFO queue.
     */
    public static final QueueOptions STANDARD = new QueueOptions(32, Duration.ofMinutes(5), RetryPolicy.STANDARD,
            OnDead.CONTINUE, 256 << 10, 10_000_000, 10_000, Duration.ofMinutes(15), true);

    /** As {@link #STANDARD}, with {@link RetryPolicy#FIFO}. */
    public static final QueueOptions FIFO = STANDARD.withRetry(RetryPolicy.FIFO);

    /** @throws IllegalArgumentException if a value is out of its bounds; the message names both */
    public QueueOptions {
        check(concurrency >= 1 && concurrency <= 100_000, "concurrency", concurrency, "1 to 100000");
        check(timeout.toMillis() >= 1 && timeout.compareTo(TIMEOUT_LIMIT) <= 0, "timeout", timeout, "1 ms to 7 days");
        check(maxPayload >= 1 && maxPayload <= PAYLOAD_LIMIT, "maxPayload", maxPayload, "1 to " + PAYLOAD_LIMIT);
        check(maxPending >= 1, "maxPending", maxPending, "1 or more");
        check(maxLeased >= 1, "maxLeased", maxLeased, "1 or more");
        check(!unreadableFor.isNegative() && unreadableFor.compareTo(TIMEOUT_LIMIT) <= 0, "unreadableFor",
                unreadableFor, "0 to 7 days");
    }

    /** The defaults for a queue of this name. */
    public static QueueOptions defaultsFor(QueueName queue) {
        return queue.isFifo() ? FIFO : STANDARD;
    }

    public QueueOptions withConcurrency(int value) {
        return new QueueOptions(value, timeout, retry, onDead, maxPayload, maxPending, maxLeased,
                unreadableFor, contentDedupe);
    }

    public QueueOptions withTimeout(Duration value) {
        return new QueueOptions(concurrency, value, retry, onDead, maxPayload, maxPending, maxLeased,
                unreadableFor, contentDedupe);
    }

    public QueueOptions withRetry(RetryPolicy value) {
        return new QueueOptions(concurrency, timeout, value, onDead, maxPayload, maxPending, maxLeased,
                unreadableFor, contentDedupe);
    }

    public QueueOptions withOnDead(OnDead value) {
        return new QueueOptions(concurrency, timeout, retry, value, maxPayload, maxPending, maxLeased,
                unreadableFor, contentDedupe);
    }

    public QueueOptions withMaxPayload(int value) {
        return new QueueOptions(concurrency, timeout, retry, onDead, value, maxPending, maxLeased,
                unreadableFor, contentDedupe);
    }

    public QueueOptions withMaxPending(long value) {
        return new QueueOptions(concurrency, timeout, retry, onDead, maxPayload, value, maxLeased, unreadableFor,
                contentDedupe);
    }

    public QueueOptions withMaxLeased(long value) {
        return new QueueOptions(concurrency, timeout, retry, onDead, maxPayload, maxPending, value,
                unreadableFor, contentDedupe);
    }

    public QueueOptions withUnreadableFor(Duration value) {
        return new QueueOptions(concurrency, timeout, retry, onDead, maxPayload, maxPending, maxLeased, value,
                contentDedupe);
    }

    public QueueOptions withContentDedupe(boolean value) {
        return new QueueOptions(concurrency, timeout, retry, onDead, maxPayload, maxPending, maxLeased, unreadableFor,
                value);
    }

    private static void check(boolean holds, String name, Object value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException("Queue option " + name + " is " + value + ": use " + rule);
        }
    }
}
