package dev.orderly.job;

/**
 * The four classes of a standard queue. A higher class goes first, yet no class starves: of every
 * {@link #turns() sixteen} jobs taken while all wait, 8 are urgent, 4 high, 3 normal and 1 low.
 */
public enum Priority {
    URGENT(1), HIGH(2), NORMAL(3), LOW(4);

    private static final Priority[] TURNS = {URGENT, HIGH, URGENT, NORMAL, URGENT, HIGH, URGENT, LOW, URGENT, HIGH,
            URGENT, NORMAL, URGENT, HIGH, URGENT, NORMAL};

    private final int number;

    Priority(int number) {
        this.number = number;
    }

    /** 1 (urgent) to 4 (low): the form used in URLs and stores. */
    public int number() {
        return number;
    }

    /** @throws IllegalArgumentException unless 1 to 4 */
    public static Priority of(int number) {
        for (Priority priority : values()) {
            if (priority.number == number) {
                return priority;
            }
        }
        throw new IllegalArgumentException("Priority " + number + " does not exist: use 1 (urgent) to 4 (low)");
    }

    /** How many turns make a round. */
    public static int turns() {
        return TURNS.length;
    }

    /** Whose turn it is, for any turn count from zero up. A class without a waiting job passes its turn on. */
    public static Priority turn(long count) {
        return TURNS[(int) Math.floorMod(count, (long) TURNS.length)];
    }
}
