package dev.orderly.rehearsal;

import java.time.Duration;
import java.util.List;

/**
 * Visitors as they are described. All chance comes from the seed: two rooms meet the same crowd.
 *
 * @param visitors 1 to a million
 * @param over the span of arrivals
 * @param arrivals how they spread over it
 * @param stay the mean time from the first to the last request inside; stays vary evenly from half of it to one and a
 *     half times
 * @param absent the share that takes a place and never comes back, 0 to 0.99
 * @param shares of the tiers; the others have no tier
 */
public record RehearsedCrowd(int visitors, Duration over, Arrivals arrivals, Duration stay, double absent, long seed,
        List<TierShare> shares)
        implements
            RehearsalCrowd {
    public RehearsedCrowd {
        shares = List.copyOf(shares);
    }

    /** A crowd without tiers. */
    public RehearsedCrowd(int visitors, Duration over, Arrivals arrivals, Duration stay, double absent, long seed) {
        this(visitors, over, arrivals, stay, absent, seed, List.of());
    }

    /** How arrivals spread over their span. */
    public enum Arrivals {
        /** Evenly. */
        EVEN,
        /** Half of all visitors in the first tenth, the others evenly. */
        RUSH
    }

    public RehearsedCrowd withShares(List<TierShare> of) {
        return new RehearsedCrowd(visitors, over, arrivals, stay, absent, seed, of);
    }

    @Override
    public List<String> tiers() {
        return shares.stream().map(TierShare::tier).toList();
    }
}
