package dev.orderly.room.forecast;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The estimated wait of a visitor: a range, and the reason for it. Not a promise.
 *
 * @param low null if the wait is unknown
 * @param high null if the wait is unknown
 * @param cause the reason for the range, or for the lack of one
 */
public record WaitEstimate(@Nullable Duration low, @Nullable Duration high, Cause cause) {
    /** Assumed visitors per second where the wait is unknown. */
    private static final double UNKNOWN_PACE = 25;

    /** The reason for an estimate. */
    public enum Cause {
        /** Visitors enter at the usual pace. */
        STEADY,
        /** Visitors enter faster than in the last minute. */
        FASTER,
        /** The origin is busy. */
        SLOWER_BUSY,
        /** Work caused by visitors is done first. */
        SLOWER_BACKLOG,
        /** Visitors inside stay longer than earlier visitors. */
        SLOWER_LEAVERS,
        /** More of the visitors ahead are present than expected. */
        SLOWER_RETURNS,
        /** An operator holds the line. */
        HELD,
        /** The room has not opened yet, or is closed. */
        OPENING,
        /** All places inside are taken: a visitor enters when another leaves. */
        WAITS_FOR_LEAVERS,
        /** Not enough has been observed yet. */
        LEARNING,
        /** The store is out of reach; the gate admits at the last rate. */
        STORE_TROUBLE,
        /** The store is out of reach; no new visitor enters, and no place is lost. */
        STORE_PAUSED;

        private final String wire = name().toLowerCase(Locale.ROOT).replace('_', '-');

        /** Whether a longer wait than announced needs no further reason. */
        public boolean explainsDelay() {
            return switch (this) {
                case SLOWER_BUSY, SLOWER_BACKLOG, SLOWER_LEAVERS, SLOWER_RETURNS, HELD, OPENING, STORE_TROUBLE,
                        STORE_PAUSED ->
                    true;
                case STEADY, FASTER, WAITS_FOR_LEAVERS, LEARNING -> false;
            };
        }

        /** The name for visitors' clients, such as {@code slower-busy}. */
        public String wire() {
            return wire;
        }
    }

    /** An unknown wait. */
    public static WaitEstimate unknown(Cause cause) {
        return new WaitEstimate(null, null, cause);
    }

    /** This estimate with another cause. */
    public WaitEstimate because(Cause other) {
        return new WaitEstimate(low, high, other);
    }

    /**
     * The wait from which the next poll interval is derived: the low end of the range, or a guess from the visitors
     * ahead.
     */
    public static Duration plan(WaitEstimate estimate, long ahead) {
        return estimate.low() == null
                ? Duration.ofSeconds((long) Math.ceil(Math.max(1, ahead) / UNKNOWN_PACE))
                : estimate.low();
    }
}
