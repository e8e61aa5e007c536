package dev.orderly.web.room.page;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An estimated wait as a range; shown in minutes or hours.
 *
 * @param low not negative
 * @param high not below {@code low}; null if unknown
 * @param kept of ten recent visitors, the number who waited no longer than announced; null if unknown
 */
public record ShownWait(Duration low, @Nullable Duration high, @Nullable Integer kept) {
    /** @throws IllegalArgumentException if the range is not valid */
    public ShownWait {
        if (low.isNegative() || (high != null && high.compareTo(low) < 0)) {
            throw new IllegalArgumentException(
                    "A wait from " + low + " to " + high + " is not a range: use 0 <= low <= high");
        }
    }

    /** A wait without a record of earlier ones. */
    public ShownWait(Duration low, @Nullable Duration high) {
        this(low, high, null);
    }
}
