package dev.orderly.room.forecast;

/**
 * How long visitors stay inside: a gamma distribution.
 *
 * @param mean in seconds
 * @param shape 1 for stays that end at any moment alike, more for stays that are alike
 */
record StayLength(double mean, int shape) {
    /** Those that are told apart. */
    static final int[] SHAPES = {1, 4, 16, 64, 256};

    /** Cells of a table in one mean. */
    private static final int CELLS = 64;
    private static final int MEANS = 6;
    /** By index of the shape: the share of stays that are over after so many cells. */
    private static final double[][] OVER = new double[SHAPES.length][CELLS * MEANS + 1];
    /** The same of the rest of a stay that is under way. */
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

    /** Of the gamma distribution with mean 1: Erlang's sum. */
    private static double over(int shape, double at) {
        double term = Math.exp(-shape * at);
        double rest = term;
        for (int i = 1; i < shape; i++) {
            term *= shape * at / i;
            rest += term;
        }
        return Math.max(0, 1 - rest);
    }

    /** The share of stays that are over after so many seconds. */
    double over(double seconds) {
        return read(OVER, seconds);
    }

    /** The share of visitors inside at some moment who are gone so many seconds later. */
    double restOver(double seconds) {
        return read(REST_OVER, seconds);
    }

    /** The deviation of one stay as a share of the mean. */
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
