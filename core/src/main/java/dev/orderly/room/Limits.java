package dev.orderly.room;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What admission keeps to.
 *
 * @param capacity the most live passes at once, 0 or more; null for no such bound
 * @param rate the most admissions in a rolling span; null for no such bound
 */
public record Limits(@Nullable Integer capacity, @Nullable Rate rate) {
    /** Nothing is bounded. */
    public static final Limits NONE = new Limits(null, null);
    /** Nobody enters. */
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

    /** These limits, and no more passes than {@code most}. */
    public Limits atMost(int most) {
        return new Limits(capacity == null ? most : Math.min(capacity, most), rate);
    }

    /**
     * A share of what these limits allow; of a share above 0 at least one remains.
     *
     * @param share 0 (nobody enters) to 1 (these)
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
