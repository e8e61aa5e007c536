package dev.orderly.room;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A public value that nobody knows before its moment, and that everybody can look up after it.
 *
 * @param source where it is published: the address of a round of drand, which a server fetches, with its number or
 *     {@code {round}}; or words that name another public draw
 * @param at the moment from which it is known
 */
public record Beacon(String source, Instant at) {
    private static final int MOST = 300;
    private static final int VALUE_MOST = 200;

    /**
     * A beacon.
     *
     * @throws IllegalArgumentException if the source is empty, too long, or has control characters, or if it has
     *     {@code {round}} and is of a chain whose times are not known
     */
    public Beacon {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(source, "source");
        source = BeaconRound.resolved(checkText("The beacon of a draw", source, MOST), at);
    }

    /**
     * The round of drand whose value a server fetches; empty if an operator types the value.
     *
     * @throws IllegalArgumentException if the source is the address of something else, which no opening has
     */
    public Optional<BeaconRound> round() {
        return BeaconRound.of(this);
    }

    /**
     * A value, without spaces at its ends.
     *
     * @throws IllegalArgumentException if it is empty, too long, or has control characters
     */
    public static String value(String text) {
        Objects.requireNonNull(text, "text");
        return checkText("The value of a beacon", text.strip(), VALUE_MOST);
    }

    private static String checkText(String what, String text, int most) {
        if (text.isBlank() || text.length() > most || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(what + " is \"" + text.codePoints()
                    .filter(each -> !Character.isISOControl(each)).limit(most)
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    + "\": use 1 to " + most + " characters in one line");
        }
        return text;
    }
}
