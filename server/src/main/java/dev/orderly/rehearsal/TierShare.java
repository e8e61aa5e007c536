package dev.orderly.rehearsal;

import java.util.Objects;

/**
 * The share of a crowd that belongs to a tier.
 *
 * @param share 0 to 1
 */
public record TierShare(String tier, double share) {
    public TierShare {
        Objects.requireNonNull(tier, "tier");
    }
}
