package dev.orderly.web.room.page;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a room, as shown to visitors. Two more rules always hold: first come, first served, and a visitor who
 * was absent comes back to the front.
 *
 * @param rate null if there is none
 * @param capacity the maximum number of visitors inside at once; null if there is no limit
 * @param tiers lines with a share of the admissions of their own; empty if all visitors have one line
 */
public record ShownLimits(@Nullable Rate rate, @Nullable Long capacity, List<Tier> tiers) {
    /** A rule without limits. */
    public static final ShownLimits NONE = new ShownLimits(null, null);

    public ShownLimits {
        tiers = List.copyOf(tiers);
    }

    /** The limits of a room with one line. */
    public ShownLimits(@Nullable Rate rate, @Nullable Long capacity) {
        this(rate, capacity, List.of());
    }

    /**
     * The line of a tier.
     *
     * @param share of a hundred admissions, while visitors of all lines wait
     */
    public record Tier(String name, int share) {
        /** The least of 10, 20 and 100 admissions of which the share is a whole number. */
        int of() {
            return share % 10 == 0 ? 10 : share % 5 == 0 ? 20 : 100;
        }

        int number() {
            return share * of() / 100;
        }
    }

    /**
     * A number of visitors in each period. Shown per minute, or per hour if it is below one a minute.
     *
     * @param visitors at least 1
     * @param per longer than zero
     */
    public record Rate(long visitors, Duration per) {
        /** @throws IllegalArgumentException if a value is out of its bounds */
        public Rate {
            if (visitors < 1 || per.toMillis() < 1) {
                throw new IllegalArgumentException("A rate lets in at least one visitor in a period, not " + visitors
                        + " in " + per);
            }
        }

        long perMinute() {
            return visitors * 60_000 / per.toMillis();
        }

        long perHour() {
            return visitors * 3_600_000 / per.toMillis();
        }
    }
}
