package dev.orderly.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to fail its attempt and say when to try again, instead of the queue's own backoff. Counts as a
 * failure like any other exception; when the attempts are spent the job is a dead letter all the same.
 */
public final class RetryLater extends RuntimeException {
    private final transient Duration delay;

    /** @param delay from now; more than 24 hours count as 24 hours */
    public RetryLater(Duration delay, String message, @Nullable Throwable cause) {
        super(message, cause);
        Duration longest = Duration.ofHours(24);
        this.delay = delay.isNegative() ? Duration.ZERO : delay.compareTo(longest) > 0 ? longest : delay;
    }

    public Duration delay() {
        return delay;
    }
}
