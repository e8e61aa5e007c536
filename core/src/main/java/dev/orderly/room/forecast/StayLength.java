package dev.orderly.room.forecast;

/**
 * The length of stays inside: a gamma distribution.
 *
 * @param mean in seconds
 * @param shape 1 for stays that end at any moment with equal chance, larger for stays of similar length
 */
record StayLength(double mean, int shape) {
    /** The shapes that are distinguished. */
    static final int[] SHAPES = {1, 4, 16, 64, 256};

    /** Cells of a table per mean. */
    private static final int CELLS = 64;
    private static final int MEANS = 6;
    /** Share of stays that are over after this many cells, by index of the shape. */
    private static final double[][] OVER = new double[SHAPES.length][CELLS * MEANS + 1];
    /** Share of stays under way that are over this many cells later, by index of the shape. */
    private static final double[][] REST_OVER = new double[SHAPES.length][CELLS * MEANS + 1];

    static {
        for (int s = 0; s < SHAPES.length; s++) {
            for (int cell = 0; cell <= CELLS * MEANS; cell++) {
                OVER[s][cell] = over(SHAPES[s], cell / (double) CELLS);
                REST_OVER[s][cell] = cell == 0
                        ? 0
                        : REST_OVER[s][cell - 1] + (1 - (OVER[s][cell] + OVER[s][cell - 1]) / 2) / CELLS;
            }
        }
    }

    /** The cumulative gamma distribution with mean 1, by Erlang's sum. */
    private static double over(int shape, double at) {
        double term = Math.exp(-shape * at);
        double rest = term;
        for (int i = 1; i < shape; i++) {
            term *= shape * at / i;
            rest += term;
        }
        return Math.max(0, 1 - rest);
    }

    /** Seconds after which every stay counts as over. */
    double longest() {
        return MEANS * mean;
    }

    /** The share of stays that are over after this many seconds. */
    double over(double seconds) {
        return read(OVER, seconds);
    }

    /** The share of visitors inside who have left this many seconds later. */
    double restOver(double seconds) {
        return read(REST_OVER, seconds);
    }

    /** The deviation of a single stay, as a share of the mean. */
    double spread() {
        return 1 / Math.sqrt(shape);
    }

    private double read(double[][] tables, double seconds) {
        double[] table = tables[Integer.numberOfTrailingZeros(shape) / 2];
        double at = Math.max(0, seconds) / mean * CELLS;
        int cell = (int) at;
        return cell >= table.length - 1 ? 1 : table[cell] + (at - cell) * (table[cell + 1] - table[cell]);
    }
}
