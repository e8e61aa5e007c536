package dev.orderly.store.sqlite.table;

import java.util.Arrays;

/**
 * Sequence numbers in ascending order, in an array of primitives. Adding the largest and removing one of the smallest
 * are cheap. Not thread-safe.
 */
final class SequenceList {
    private long[] numbers = new long[2];
    private int from;
    private int to;

    int size() {
        return to - from;
    }

    /** The number at a position, from 0. */
    long get(int position) {
        return numbers[from + position];
    }

    /** The position of the first number above {@code seq}; {@link #size} if there is none. */
    int after(long seq) {
        int found = Arrays.binarySearch(numbers, from, to, seq);
        return (found >= 0 ? found + 1 : -found - 1) - from;
    }

    /** Adds a number, unless it is there. */
    void add(long seq) {
        int position = after(seq);
        if (position > 0 && get(position - 1) == seq) {
            return;
        }
        makeRoom();
        int at = from + position;
        System.arraycopy(numbers, at, numbers, at + 1, to - at);
        numbers[at] = seq;
        to++;
    }

    /** Removes a number if it is there; moves the numbers before it or after it, whichever are fewer. */
    void remove(long seq) {
        int at = Arrays.binarySearch(numbers, from, to, seq);
        if (at < 0) {
            return;
        }
        if (at - from < to - at) {
            System.arraycopy(numbers, from, numbers, from + 1, at - from);
            from++;
        } else {
            System.arraycopy(numbers, at + 1, numbers, at, to - at - 1);
            to--;
        }
    }

    private void makeRoom() {
        if (to == numbers.length) {
            int size = size();
            long[] target = size * 2 > numbers.length ? new long[numbers.length * 2] : numbers;
            System.arraycopy(numbers, from, target, 0, size);
            numbers = target;
            from = 0;
            to = size;
        }
    }
}
