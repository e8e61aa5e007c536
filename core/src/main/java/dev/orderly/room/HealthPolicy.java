package dev.orderly.room;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The rule by which an origin counts as overloaded.
 *
 * @param target 95 % of the origin's answers should begin within this time; null to learn the usual time and allow
 *     twice that
 * @param maxFailures tolerated share of failed exchanges, 0 to 1
 */
public record HealthPolicy(@Nullable Duration target, double maxFailures) {
    /** Learned target, 1 % failures. */
    public static final HealthPolicy DEFAULT = new HealthPolicy(null, 0.01);

    /** @throws IllegalArgumentException naming the value that is out of its bounds */
    public HealthPolicy {
        if (target != null && !target.isPositive()) {
            throw new IllegalArgumentException("A health target of " + target + ": use more than 0");
        }
        if (!(maxFailures >= 0 && maxFailures <= 1)) {
            throw new IllegalArgumentException("A tolerated share of failures of " + maxFailures + ": use 0 to 1");
        }
    }
}
