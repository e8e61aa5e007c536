package dev.orderly.flow;

import dev.orderly.time.Time;
import java.time.Duration;

/** A rate limit with bursts: events pass at an even rate, and several at once after a pause. Not thread-safe. */
public final class TokenBucket {
    private final Pace pace;
    /** The monotonic time at which the bucket is full again. */
    private long fullAt;

    /**
     * The rate, shared by many buckets.
     *
     * @param burst the number of events at once from a full bucket, 1 or more
     * @param nanosEach nanoseconds between events at the even rate
     */
    public record Pace(Time time, int burst, long nanosEach) {
        /** {@code count} events in a span, and {@code burst} at once. */
        public static Pace of(Time time, int count, Duration span, int burst) {
            return new Pace(time, burst, Math.max(1, span.toNanos() / count));
        }
    }

    /** A full bucket. */
    public TokenBucket(Pace pace) {
        this.pace = pace;
        this.fullAt = pace.time().nanos();
    }

    /** Whether an event may pass now; if so, its token is taken. */
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
