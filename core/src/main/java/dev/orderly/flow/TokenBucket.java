package dev.orderly.flow;

import dev.orderly.time.Time;
import java.time.Duration;

/**
 * Lets events through at an even rate, and some at once after a pause. Two words of memory. Not thread-safe.
 */
public final class TokenBucket {
    private final Pace pace;
    /** When the bucket is full again. */
    private long fullAt;

    /**
     * How fast, shared by many buckets.
     *
     * @param burst how many at once from a full bucket, 1 or more
     * @param nanosEach until one more may come
     */
    public record Pace(Time time, int burst, long nanosEach) {
        /** So many in a span, and {@code burst} at once. */
        public static Pace of(Time time, int count, Duration span, int burst) {
            return new Pace(time, burst, Math.max(1, span.toNanos() / count));
        }
    }

    /** Full. */
    public TokenBucket(Pace pace) {
        this.pace = pace;
        this.fullAt = pace.time().nanos();
    }

    /** Whether one more may come now; if so, it is taken. */
    public boolean take() {
        long now = pace.time().nanos();
        long from = fullAt - now < 0 ? now : fullAt;
        if (from - now > (pace.burst() - 1) * pace.nanosEach()) {
            return false;
        }
        fullAt = from + pace.nanosEach();
        return true;
    }
}
