package dev.orderly.text;

import java.time.Duration;
import java.util.Objects;

/** Durations for people. */
public final class DurationText {
    private static final String NARROW_SPACE = " ";
    private static final long[] SIZES = {86_400, 3_600, 60, 1};
    private static final String[] UNITS = {"d", "h", "min", "s"};

    private DurationText() {}

    /** The two largest units of a duration: {@code 1 h 20 min}. A negative duration is zero. */
    public static String of(Duration value) {
        Objects.requireNonNull(value, "value");
        long seconds = Math.max(0, value.toSeconds());
        if (seconds < 1 && value.toMillis() > 0) {
            return value.toMillis() + NARROW_SPACE + "ms";
        }
        for (int i = 0; i < SIZES.length - 1; i++) {
            if (seconds >= SIZES[i]) {
                long rest = seconds % SIZES[i] / SIZES[i + 1];
                String first = seconds / SIZES[i] + NARROW_SPACE + UNITS[i];
                return rest == 0 ? first : first + " " + rest + NARROW_SPACE + UNITS[i + 1];
            }
        }
        return seconds + NARROW_SPACE + "s";
    }
}
