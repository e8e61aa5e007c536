package dev.orderly.testkit.sim;

import java.util.Arrays;

/** When visitors were let in; milliseconds. */
final class Admissions {
    private long[] times = new long[1_024];
    private int count;
    private int inside;
    private long period;

    void add(long now) {
        if (count == times.length) {
            times = Arrays.copyOf(times, count * 2);
        }
        times[count++] = now;
    }

    /** How many in the span of this length that ends now. */
    int in(long span, long now) {
        if (span != period) {
            period = span;
            inside = 0;
        }
        while (inside < count && times[inside] <= now - span) {
            inside++;
        }
        return count - inside;
    }
}
