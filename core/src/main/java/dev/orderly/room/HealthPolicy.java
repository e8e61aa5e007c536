package dev.orderly.room;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When an origin counts as overloaded.
 *
 * @param target 95 % of its answers should begin within this; null to learn what is usual, and allow twice that
 * @param maxFailures the share of failed exchanges that is tolerated, 0 to 1
 */
public record HealthPolicy(@Nullable Duration target, double maxFailures) {
    /** Learned, 1 %. */
    public static final HealthPolicy DEFAULT = new HealthPolicy(null, 0.01);

    /** @throws IllegalArgumentException naming the value that is out of its bounds */
    public HealthPolicy {
        if (target != null && !target.isPositive()) {
            throw new IllegalArgumentException("A target of " + target + ": use more than 0");
        }
        if (!(maxFailures >= 0 && maxFailures <= 1)) {
            throw new IllegalArgumentException("A share of failures of " + maxFailures + ": use 0 to 1");
        }
    }
}
