package dev.orderly.web.room.page;

import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * An estimated wait as a range; shown in minutes or hours.
 *
 * @param low not negative
 * @param high not below {@code low}; null if unknown
 * @param kept of ten recent visitors, the number who waited no longer than announced; null if unknown, or too few to
 *     tell
 */
public record ShownWait(Duration low, @Nullable Duration high, @Nullable Integer kept) {
    /** A smaller number tells a visitor nothing to act on; operators see it. */
    private static final int KEPT_LEAST = 7;

    /** @throws IllegalArgumentException if the range is not valid */
    public ShownWait {
        if (low.isNegative() || (high != null && high.compareTo(low) < 0)) {
            throw new IllegalArgumentException(
                    "A wait from " + low + " to " + high + " is not a range: use 0 <= low <= high");
        }
    }

    /** The number of kept estimates as visitors are told it; null if it is unknown or small. */
    public static @Nullable Integer told(OptionalInt kept) {
        return kept.isPresent() && kept.getAsInt() >= KEPT_LEAST ? kept.getAsInt() : null;
    }

    /** A wait without a record of earlier ones. */
    public ShownWait(Duration low, @Nullable Duration high) {
        this(low, high, null);
    }
}
