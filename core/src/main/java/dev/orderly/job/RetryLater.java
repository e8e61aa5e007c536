package dev.orderly.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Exception of a handler that fails its attempt and sets the delay before the retry, instead of the queue's backoff.
 * Counts as a failure like any other exception: when the attempts are spent, the job becomes a dead letter.
 */
public final class RetryLater extends RuntimeException {
    private final transient Duration delay;

    /** @param delay from now; a negative delay counts as zero, more than 24 hours as 24 hours */
    public RetryLater(Duration delay, String message, @Nullable Throwable cause) {
        super(message, cause);
        Duration longest = Duration.ofHours(24);
        this.delay = delay.isNegative() ? Duration.ZERO : delay.compareTo(longest) > 0 ? longest : delay;
    }

    public Duration delay() {
        return delay;
    }
}
