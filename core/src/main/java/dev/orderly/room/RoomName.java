package dev.orderly.room;

import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The name of a room, as used in paths and cookie names.
 *
 * @param value 1 to 40 lower-case letters, digits, '-' and '_', starting with a letter or digit
 */
public record RoomName(String value) implements Comparable<RoomName> {
    private static final Pattern RULE = Pattern.compile("[a-z0-9][a-z0-9_-]{0,39}");

    /** @throws IllegalArgumentException if the name breaks the rule */
    public RoomName {
        Objects.requireNonNull(value, "value");
        if (!RULE.matcher(value).matches()) {
            String shown = value.length() <= 60 ? value : value.substring(0, 60) + "...";
            throw new IllegalArgumentException("Room name \"" + shown + "\" breaks the rule: use 1 to 40 lower-case"
                    + " letters, digits, '-' and '_', starting with a letter or digit");
        }
    }

    @Override
    public int compareTo(RoomName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
