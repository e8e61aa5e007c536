package dev.orderly.rehearsal;

import java.time.Duration;

/**
 * Visitors as they are described. All chance comes from the seed: two rooms meet the same crowd.
 *
 * @param visitors 1 to a million
 * @param over the span of arrivals
 * @param arrivals how they spread over it
 * @param stay the mean time from the first to the last request inside; stays vary evenly from half of it to one and a
 *     half times
 * @param absent the share that takes a place and never comes back, 0 to 0.99
 */
public record RehearsedCrowd(int visitors, Duration over, Arrivals arrivals, Duration stay, double absent, long seed)
        implements
            RehearsalCrowd {
    /** How arrivals spread over their span. */
    public enum Arrivals {
        /** Evenly. */
        EVEN,
        /** Half of all visitors in the first tenth, the others evenly. */
        RUSH
    }
}
