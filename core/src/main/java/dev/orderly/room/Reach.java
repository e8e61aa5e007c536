package dev.orderly.room;

import java.time.Duration;
import java.time.Instant;

/**
 * When the store was out of reach last.
 *
 * @param since when that began
 * @param until when it ended; far in the future while it lasts
 */
record Reach(Instant since, Instant until) {
    private static final Instant FOREVER = Instant.MAX.minus(Duration.ofDays(1));
    /** It never was. */
    static final Reach ALWAYS = new Reach(Instant.EPOCH, Instant.EPOCH);
    /** So long visitors are still let in at the last rate. */
    static final Duration COASTING = Duration.ofSeconds(60);
    /** So long after it ended a pass that ran out meanwhile may be renewed. */
    private static final Duration REVIVING = Duration.ofSeconds(60);

    static Reach lost(Instant now) {
        return new Reach(now, FOREVER);
    }

    Reach found(Instant now) {
        return new Reach(since, now);
    }

    boolean away() {
        return until.equals(FOREVER);
    }

    /** Whether the store has been away for so long that nobody is let in at the last rate any more. */
    boolean longAway(Instant now) {
        return away() && now.isAfter(since.plus(COASTING));
    }

    /** Whether a pass lived when the store went away, and its end could not be put off since. */
    boolean excuses(Pass pass, Instant now) {
        boolean lately = now.isBefore(until.plus(REVIVING)) && pass.expiresAt().isBefore(until.plus(REVIVING));
        return pass.expiresAt().isAfter(since) && (away() || lately);
    }
}
