package dev.orderly.room;

import dev.orderly.text.DurationText;
import java.time.Duration;

/**
 * Most admissions in any span of a given length, wherever the span begins.
 *
 * @param admissions 1 to 1,000,000
 * @param period 1 s to 1 h
 */
public record Rate(int admissions, Duration period) {
    /** The longest period, and so how far back a store keeps admissions. */
    public static final Duration LONGEST = Duration.ofHours(1);

    private static final int MOST = 1_000_000;

    /** @throws IllegalArgumentException naming the number that is out of its bounds */
    public Rate {
        if (admissions < 1 || admissions > MOST) {
            throw new IllegalArgumentException("A rate of " + admissions + " admissions: use 1 to " + MOST);
        }
        if (period.compareTo(Duration.ofSeconds(1)) < 0 || period.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "A rate per " + DurationText.of(period) + ": use a period of 1 s to 1 h");
        }
    }

    public double perSecond() {
        return admissions * 1_000.0 / period.toMillis();
    }

    /** The form of the configuration: {@code 5 per 15s}. */
    @Override
    public String toString() {
        long millis = period.toMillis();
        String span = millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
        return admissions + " per " + span;
    }
}
