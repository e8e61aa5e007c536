package dev.orderly.room;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A change of a configured opening by an operator.
 *
 * @param announced the moment at which the opening begins by the configuration: its name
 * @param opens the moment at which it begins instead; null if it begins as configured
 * @param closes the moment at which it ends instead; null if its end stays as configured
 * @param cancelled whether it does not take place; then the other moments are those that visitors knew
 */
public record OpeningChange(Instant announced, @Nullable ZonedDateTime opens, @Nullable ZonedDateTime closes,
        boolean cancelled) {
    private static final String NONE = "-";
    private static final String CANCELLED = "cancelled";

    public OpeningChange {
        Objects.requireNonNull(announced, "announced");
    }

    /** A move of an opening. */
    public OpeningChange(Instant announced, ZonedDateTime opens, @Nullable ZonedDateTime closes) {
        this(announced, Objects.requireNonNull(opens, "opens"), closes, false);
    }

    /** The cancellation of an opening that was not moved before. */
    public static OpeningChange cancelled(Instant announced) {
        return new OpeningChange(announced, null, null, true);
    }

    /** Changes as stores keep them; null for none. */
    public static @Nullable String stored(List<OpeningChange> changes) {
        return changes.isEmpty()
                ? null
                : changes.stream().map(change -> change.announced + " " + text(change.opens) + " "
                        + text(change.closes) + (change.cancelled ? " " + CANCELLED : ""))
                        .collect(Collectors.joining("\n"));
    }

    /** The changes of a text of {@link #stored}. */
    public static List<OpeningChange> ofStored(@Nullable String text) {
        return text == null ? List.of() : Arrays.stream(text.split("\n", -1)).map(OpeningChange::line).toList();
    }

    private static OpeningChange line(String line) {
        String[] parts = line.split(" ", -1);
        return new OpeningChange(Instant.parse(parts[0]), time(parts[1]), time(parts[2]), parts.length > 3);
    }

    private static String text(@Nullable ZonedDateTime time) {
        return time == null ? NONE : time.toString();
    }

    private static @Nullable ZonedDateTime time(String text) {
        return text.equals(NONE) ? null : ZonedDateTime.parse(text);
    }
}
