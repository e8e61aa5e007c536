package dev.orderly.text;

import dev.orderly.Internal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Durations for people: {@code 1 h 20 min}. */
@Internal(to = "dev.orderly")
public final class DurationText {
    private DurationText() {}

    /** All units, down to milliseconds: a minute and a half is {@code 1 min 30 s}. */
    public static String of(Duration value) {
        if (!value.isNegative()) {
            return text(value, 5);
        }
        // the least duration has no opposite
        return "-" + of(value.toSeconds() == Long.MIN_VALUE ? Duration.ofSeconds(Long.MAX_VALUE) : value.negated());
    }

    /** The two largest units; milliseconds only below a second. A negative duration is zero. */
    public static String rounded(Duration value) {
        Duration shown = value.isNegative() ? Duration.ZERO : value;
        return shown.toSeconds() == 0 ? of(shown) : text(shown.truncatedTo(ChronoUnit.SECONDS), 2);
    }

    /** @param most the number of units from the largest one on */
    private static String text(Duration value, int most) {
        long[] numbers = {value.toDays(), value.toHoursPart(), value.toMinutesPart(), value.toSecondsPart(),
                value.toMillisPart()};
        String[] units = {"d", "h", "min", "s", "ms"};
        int first = 0;
        while (first < units.length - 1 && numbers[first] == 0) {
            first++;
        }
        List<String> parts = new ArrayList<>();
        for (int unit = first; unit < Math.min(units.length, first + most); unit++) {
            if (numbers[unit] > 0) {
                parts.add(numbers[unit] + " " + units[unit]);
            }
        }
        return parts.isEmpty() ? "0 s" : String.join(" ", parts);
    }
}
