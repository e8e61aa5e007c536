package dev.orderly.boxoffice.shop;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Neighbouring seats of one show, counted from the front.
 *
 * @param first 0 or more
 * @param count 1 or more
 */
public record Seats(int first, int count) {
    private static final int ROW = 20;

    /** The numbers, one a seat. */
    public List<Integer> numbers() {
        return IntStream.range(first, first + count).boxed().toList();
    }

    /** The text on the ticket. */
    @Override
    public String toString() {
        int last = first + count - 1;
        if (count == 1) {
            return "Row " + row(first) + ", seat " + place(first);
        }
        return row(first) == row(last)
                ? "Row " + row(first) + ", seats " + place(first) + " to " + place(last)
                : "Row " + row(first) + ", seat " + place(first) + " to row " + row(last) + ", seat " + place(last);
    }

    private static int row(int seat) {
        return seat / ROW + 1;
    }

    private static int place(int seat) {
        return seat % ROW + 1;
    }
}
