package dev.orderly.job;

import dev.orderly.text.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Exception of a handler whose work is refused for a time, such as by the quota of somebody's API. Counts as no
 * failure: the job waits again, at its old place, and nothing of the same kind starts on any node before the time is
 * over. A restart does not forget it; a rest that is under way is never made shorter.
 *
 * <p>What rests is the key of the job; without a key the limit of the queue; without both the job alone. On a FIFO
 * queue the group is the key. {@link #all} lets the limit of the queue rest, also of a job with a key.
 *
 * <p>The {@value #ROW_MAX}th attempt in a row that ends so makes the job a dead letter. Not guaranteed: that jobs that
 * run already when it is thrown, or start within the same moment, are held back.
 */
public final class Throttled extends RuntimeException {
    /** The number of throttled attempts in a row of which the last makes the job a dead letter. */
    public static final int ROW_MAX = 100;
    /** The shortest and the longest rest; another is taken for the nearer of them. */
    public static final Duration REST_MIN = Duration.ofMillis(100);
    public static final Duration REST_MAX = Duration.ofHours(24);

    private final transient Duration rest;
    private final boolean ofAll;

    /** As {@link #Throttled(Duration, String, Throwable)}, with a message that names the time. */
    public Throttled(Duration rest) {
        this(rest, "Throttled for " + DurationText.of(bounded(rest)), null);
    }

    /**
     * @param rest from now; less than 0.1 s counts as 0.1 s, more than 24 hours as 24 hours
     * @param message what has refused the work, for the log and for a dead letter
     */
    public Throttled(Duration rest, @Nullable String message, @Nullable Throwable cause) {
        this(rest, message, cause, false);
    }

    private Throttled(Duration rest, @Nullable String message, @Nullable Throwable cause, boolean ofAll) {
        super(message, cause);
        this.rest = bounded(rest);
        this.ofAll = ofAll;
    }

    /** Lets the limit of the queue rest, or what {@link #Throttled(Duration)} does if the queue has none. */
    public static Throttled all(Duration rest) {
        return new Throttled(rest, "All throttled for " + DurationText.of(bounded(rest)), null, true);
    }

    private static Duration bounded(Duration rest) {
        return rest.compareTo(REST_MIN) < 0 ? REST_MIN : rest.compareTo(REST_MAX) > 0 ? REST_MAX : rest;
    }

    public Duration rest() {
        return rest;
    }

    /** Whether the limit of the queue rests, also of a job with a key. */
    public boolean isOfAll() {
        return ofAll;
    }
}
