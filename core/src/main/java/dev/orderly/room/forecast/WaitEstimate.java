package dev.orderly.room.forecast;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a visitor still waits: a range, and the reason for it. An estimate, not a promise.
 *
 * @param low null if nothing can be said
 * @param high null if nothing can be said
 */
public record WaitEstimate(@Nullable Duration low, @Nullable Duration high, Cause cause) {
    /** What is taken for the wait where nothing can be said: by this many visitors a second. */
    private static final double UNKNOWN_PACE = 25;

    /** Why it is as it is. */
    public enum Cause {
        /** Visitors enter at the usual pace. */
        STEADY,
        /** They enter faster than in the last minute. */
        FASTER,
        /** The origin is busy. */
        SLOWER_BUSY,
        /** Work that visitors caused is being done first. */
        SLOWER_BACKLOG,
        /** Visitors inside stay longer than those before them. */
        SLOWER_LEAVERS,
        /** More of those ahead are there than was to be expected. */
        SLOWER_RETURNS,
        /** An operator holds the line. */
        HELD,
        /** All places inside are taken: somebody enters when somebody leaves. */
        WAITS_FOR_LEAVERS,
        /** Too little was seen yet. */
        LEARNING
    }

    /** Nothing can be said. */
    public static WaitEstimate unknown(Cause cause) {
        return new WaitEstimate(null, null, cause);
    }

    /** The wait to plan the next question by. */
    public static Duration plan(WaitEstimate estimate, long ahead) {
        return estimate.low() == null
                ? Duration.ofSeconds((long) Math.ceil(Math.max(1, ahead) / UNKNOWN_PACE))
                : estimate.low();
    }
}
