package dev.orderly.room.invitation;

import dev.orderly.Internal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A series of invitations without its codes, as the audit log has it.
 *
 * @param series its id as people read it
 * @param count how many were issued
 * @param until their end
 */
@Internal(to = "dev.orderly")
public record IssuedSeries(String series, int count, String tier, Instant until) {
    private static final Pattern TEXT = Pattern
            .compile("(\\d{1,5}) invitations to tier (\\S{1,40}) until (\\S{1,40}), series ([0-9a-f]{12})");

    public IssuedSeries {
        Objects.requireNonNull(series, "series");
        Objects.requireNonNull(tier, "tier");
        Objects.requireNonNull(until, "until");
    }

    /** The series that {@link #toString} names; empty for any other text. */
    public static Optional<IssuedSeries> parse(String text) {
        Objects.requireNonNull(text, "text");
        Matcher found = TEXT.matcher(text);
        try {
            return found.matches()
                    ? Optional.of(new IssuedSeries(found.group(4), Integer.parseInt(found.group(1)), found.group(2),
                            Instant.parse(found.group(3))))
                    : Optional.empty();
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return count + " invitations to tier " + tier + " until " + until + ", series " + series;
    }
}
