package dev.orderly.room;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of admission.
 *
 * @param capacity most live passes at once, 0 or more; null for no bound
 * @param rate most admissions in a rolling span; null for no bound
 */
public record Limits(@Nullable Integer capacity, @Nullable Rate rate) {
    /** No bounds. */
    public static final Limits NONE = new Limits(null, null);
    /** No visitor enters. */
    public static final Limits CLOSED = new Limits(0, null);

    /** @throws IllegalArgumentException if the capacity is negative */
    public Limits {
        if (capacity != null && capacity < 0) {
            throw new IllegalArgumentException("A capacity of " + capacity + ": use 0 or more");
        }
    }

    public Optional<Integer> mostPasses() {
        return Optional.ofNullable(capacity);
    }

    public Optional<Rate> mostAdmissions() {
        return Optional.ofNullable(rate);
    }

    /** These limits with a capacity of at most {@code most}. */
    public Limits atMost(int most) {
        return new Limits(capacity == null ? most : Math.min(capacity, most), rate);
    }

    /**
     * A share of these limits, rounded up: a share above 0 leaves at least one admission.
     *
     * @param share 0 or less (no visitor enters) to 1 or more (these limits)
     */
    public Limits scaled(double share) {
        if (share >= 1) {
            return this;
        }
        if (share <= 0) {
            return CLOSED;
        }
        return new Limits(capacity == null ? null : (int) Math.ceil(capacity * share),
                rate == null ? null : new Rate((int) Math.ceil(rate.admissions() * share), rate.period()));
    }
}
