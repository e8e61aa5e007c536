package dev.orderly.job;

import dev.orderly.text.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Exception of a handler that fails its attempt and sets the delay before the retry, instead of the queue's backoff.
 * Counts as a failure like any other exception: when the attempts are spent, the job becomes a dead letter.
 */
public final class RetryLater extends RuntimeException {
    private static final Duration LONGEST = Duration.ofHours(24);

    private final transient Duration delay;

    /** As {@link #RetryLater(Duration, String, Throwable)}, with a message that names the delay. */
    public RetryLater(Duration delay) {
        this(delay, "Again in " + DurationText.of(bounded(delay)), null);
    }

    /** As {@link #RetryLater(Duration, String, Throwable)}, without a cause. */
    public RetryLater(Duration delay, @Nullable String message) {
        this(delay, message, null);
    }

    /** @param delay from now; a negative delay counts as zero, more than 24 hours as 24 hours */
    public RetryLater(Duration delay, @Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
        this.delay = bounded(delay);
    }

    private static Duration bounded(Duration delay) {
        return delay.isNegative() ? Duration.ZERO : delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
    }

    public Duration delay() {
        return delay;
    }
}
