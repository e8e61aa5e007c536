package dev.orderly.schedule;

import dev.orderly.text.DurationText;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A length of time between instants, which no change of clocks affects.
 *
 * @param length whole seconds, at least one
 * @param origin the first instant; null if the length counts from the end of each run
 */
record Interval(Duration length, @Nullable Instant origin) {
    private static final String AFTER_THE_END = "after the end";
    private static final Pattern WORDS = Pattern.compile("every (?:([1-9][0-9]{0,7}) )?(second|minute|hour)s?"
            + "(?: (" + AFTER_THE_END + ")| from ([0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}))?");

    /**
     * The interval of words.
     *
     * @param words lower case, with single spaces
     * @param zone of the origin
     * @return empty if the words are no interval
     * @throws IllegalArgumentException if there is no such origin
     */
    static Optional<Interval> parse(String words, ZoneId zone) {
        Matcher parts = WORDS.matcher(words);
        if (!parts.matches()) {
            return Optional.empty();
        }
        long count = parts.group(1) == null ? 1 : Long.parseLong(parts.group(1));
        Duration length = Duration.of(count, ChronoUnit.valueOf(parts.group(2).toUpperCase(Locale.ROOT) + "S"));
        return Optional.of(new Interval(length, parts.group(3) != null ? null : origin(parts.group(4), zone)));
    }

    private static Instant origin(@Nullable String local, ZoneId zone) {
        try {
            return local == null
                    ? Instant.EPOCH
                    : LocalDateTime.parse(local.replace(' ', 'T')).atZone(zone).toInstant();
        } catch (DateTimeException _) {
            throw new IllegalArgumentException("there is no " + local + ": use a local time such as 2026-03-01 08:00");
        }
    }

    /**
     * The words of a length.
     *
     * @throws IllegalArgumentException if it is not of whole seconds, at least one
     */
    static String words(Duration length, boolean afterTheEnd) {
        Objects.requireNonNull(length, "interval");
        long seconds = length.toSeconds();
        if (seconds < 1 || !length.equals(Duration.ofSeconds(seconds))) {
            throw new IllegalArgumentException(
                    "An interval of " + DurationText.of(length) + " is not possible: use whole seconds, at"
                            + " least one");
        }
        long hour = ChronoUnit.HOURS.getDuration().toSeconds();
        long minute = ChronoUnit.MINUTES.getDuration().toSeconds();
        String every = seconds % hour == 0
                ? seconds / hour + " hours"
                : seconds % minute == 0 ? seconds / minute + " minutes" : seconds + " seconds";
        return "every " + every + (afterTheEnd ? " " + AFTER_THE_END : "");
    }

    /** Whether a timing in the form of {@link Timing#toString} counts from the end of each run. */
    static boolean countsFromEnd(String timing) {
        return timing.contains(" " + AFTER_THE_END + " ");
    }

    /** The first instant after this moment, or the instant that follows a run which ended at it. */
    Instant next(Instant after) {
        if (origin == null) {
            return after.plus(length).plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
        }
        long passed = Math.floorDiv(after.getEpochSecond() - origin.getEpochSecond(), length.toSeconds());
        return origin.plus(length.multipliedBy(Math.max(0, passed + 1)));
    }
}
