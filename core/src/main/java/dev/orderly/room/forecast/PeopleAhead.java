package dev.orderly.room.forecast;

/**
 * The number of present visitors with lower places.
 *
 * @param number from 0
 * @param isKnown whether it is known which of them are present; otherwise there are at most so many
 */
public record PeopleAhead(long number, boolean isKnown) {
    /** @throws IllegalArgumentException if {@code number} is negative */
    public PeopleAhead {
        if (number < 0) {
            throw new IllegalArgumentException("A number of people is 0 or more, not " + number);
        }
    }

    /** That many, all of them known as present. */
    public static PeopleAhead known(long number) {
        return new PeopleAhead(number, true);
    }
}
