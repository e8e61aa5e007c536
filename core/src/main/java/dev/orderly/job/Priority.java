package dev.orderly.job;

/**
 * The four priority classes of a standard queue. A higher class goes first, yet no class starves: of
 * {@link #turns() sixteen} jobs claimed while all classes have waiting jobs, 8 are urgent, 4 high, 3 normal and 1 low.
 */
public enum Priority {
    URGENT(1), HIGH(2), NORMAL(3), LOW(4);

    private static final Priority[] TURNS = {URGENT, HIGH, URGENT, NORMAL, URGENT, HIGH, URGENT, LOW, URGENT, HIGH,
            URGENT, NORMAL, URGENT, HIGH, URGENT, NORMAL};

    private final int number;

    Priority(int number) {
        this.number = number;
    }

    /** The number used in URLs and stores: 1 (urgent) to 4 (low). */
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

    /** The number of turns in a round. */
    public static int turns() {
        return TURNS.length;
    }

    /**
     * The class whose turn it is, for any turn count from zero up. A class without a waiting job passes its turn on.
     */
    public static Priority turn(long count) {
        return TURNS[(int) Math.floorMod(count, (long) TURNS.length)];
    }
}
