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
 * @param key key of the job by which its queue takes turns, as its push gave it; null for none
 */
public record JobTerms(@Nullable Instant expiresAt, @Nullable RetryPolicy retry, @Nullable Duration timeout,
        @Nullable String unique, @Nullable String key) {
    /** A job that is in everything as its queue says. */
    public static final JobTerms NONE = new JobTerms(null, null, null, null, null);

    /** Terms without a key. */
    public JobTerms(@Nullable Instant expiresAt, @Nullable RetryPolicy retry, @Nullable Duration timeout,
            @Nullable String unique) {
        this(expiresAt, retry, timeout, unique, null);
    }

    /** The same terms with a key. */
    public JobTerms withKey(@Nullable String value) {
        return new JobTerms(expiresAt, retry, timeout, unique, value);
    }

    /** The same terms with another expiry. */
    public JobTerms withExpiresAt(@Nullable Instant value) {
        return new JobTerms(value, retry, timeout, unique, key);
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
