package dev.orderly.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Terms of one job: what its push said of it in place of its queue. A part that is null is as the queue says.
 *
 * @param expiresAt no attempt starts from this moment on: a job that is not running then ends as cancelled, with its
 *     expiry as the reason; null for a job that never expires
 * @param retry retry policy of the job
 * @param timeout longest time of one attempt
 * @param unique unique key of the job in its queue, or in its group on a FIFO queue; null for none
 * @param debounce how further pushes change the job while it waits; null if none does
 * @param dedupeFor the time for which the dedupe id of the job is kept; null for none, or for the usual time
 * @param key key of the job by which its queue takes turns, as its push gave it; null for none
 * @param cost tokens of each rate that a start of the job takes, and turns of its key; 1 unless its push said more
 * @param batch the batch that the job belongs to; null for none
 */
public record JobTerms(@Nullable Instant expiresAt, @Nullable RetryPolicy retry, @Nullable Duration timeout,
        @Nullable String unique, @Nullable Debounce debounce, @Nullable Duration dedupeFor, @Nullable String key,
        int cost, @Nullable BatchLink batch) {
    /** The largest cost of a job. */
    public static final int COST_MAX = Limit.STARTS_MAX;
    /** A job that is in everything as its queue says. */
    public static final JobTerms NONE = new JobTerms(null, null, null, null, null, null);

    /** @throws IllegalArgumentException if the cost is out of its bounds */
    public JobTerms {
        if (cost < 1 || cost > COST_MAX) {
            throw new IllegalArgumentException("A job costs " + cost + ": use 1 to " + COST_MAX);
        }
    }

    /** The same terms with a key. */
    public JobTerms withKey(@Nullable String value) {
        return new JobTerms(expiresAt, retry, timeout, unique, debounce, dedupeFor, value, cost, batch);
    }

    /** The same terms with a cost, 1 to {@value #COST_MAX}. */
    public JobTerms withCost(int value) {
        return new JobTerms(expiresAt, retry, timeout, unique, debounce, dedupeFor, key, value, batch);
    }

    /** The same terms with a batch. */
    public JobTerms withBatch(@Nullable BatchLink value) {
        return new JobTerms(expiresAt, retry, timeout, unique, debounce, dedupeFor, key, cost, value);
    }

    /** Whether a batch counts the job. */
    public boolean isMember() {
        return batch != null && batch.isMember();
    }

    /** Terms without a batch. */
    public JobTerms(@Nullable Instant expiresAt, @Nullable RetryPolicy retry, @Nullable Duration timeout,
            @Nullable String unique, @Nullable Debounce debounce, @Nullable Duration dedupeFor, @Nullable String key,
            int cost) {
        this(expiresAt, retry, timeout, unique, debounce, dedupeFor, key, cost, null);
    }

    /** Terms without a key, with cost 1. */
    public JobTerms(@Nullable Instant expiresAt, @Nullable RetryPolicy retry, @Nullable Duration timeout,
            @Nullable String unique, @Nullable Debounce debounce, @Nullable Duration dedupeFor) {
        this(expiresAt, retry, timeout, unique, debounce, dedupeFor, null, 1);
    }

    /** Terms without a debounce and a key, with the usual time for dedupe ids. */
    public JobTerms(@Nullable Instant expiresAt, @Nullable RetryPolicy retry, @Nullable Duration timeout,
            @Nullable String unique) {
        this(expiresAt, retry, timeout, unique, null, null);
    }

    /**
     * The debounce of a job: while the job waits, each push of its key replaces what the push before said.
     *
     * @param key debounce key of the job in its queue
     * @param atMost longest time from the first push of the job on by which further pushes put it off; null for any
     *     time
     */
    public record Debounce(String key, @Nullable Duration atMost) {
        public Debounce {
            Objects.requireNonNull(key, "key");
        }

        /** The moment until which a push puts off a job that was first pushed at a moment; null for at once. */
        public @Nullable Instant until(@Nullable Instant runAt, Instant firstPushed) {
            Objects.requireNonNull(firstPushed, "firstPushed");
            Instant latest = atMost == null ? null : firstPushed.plus(atMost);
            return runAt == null || latest == null || runAt.isBefore(latest) ? runAt : latest;
        }
    }

    /** The same terms with another expiry. */
    public JobTerms withExpiresAt(@Nullable Instant value) {
        return new JobTerms(value, retry, timeout, unique, debounce, dedupeFor, key, cost, batch);
    }

    /** Whether no attempt may start any more. */
    public boolean isExpired(Instant now) {
        Objects.requireNonNull(now, "now");
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    /** The retry policy of a job of a queue with this policy. */
    public RetryPolicy retryOr(RetryPolicy ofQueue) {
        Objects.requireNonNull(ofQueue, "ofQueue");
        return retry == null ? ofQueue : retry;
    }

    /** The timeout of a job of a queue with this timeout. */
    public Duration timeoutOr(Duration ofQueue) {
        Objects.requireNonNull(ofQueue, "ofQueue");
        return timeout == null ? ofQueue : timeout;
    }
}
