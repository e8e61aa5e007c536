package dev.orderly.testkit.sim;

import java.util.Arrays;

/** The times of admissions, in milliseconds. */
final class AdmissionTimes {
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

    /** Removes one admission of this moment, if there is any. */
    void forget(long at) {
        int index = Arrays.binarySearch(times, 0, count, at);
        if (index >= 0) {
            System.arraycopy(times, index + 1, times, index, count - index - 1);
            count--;
            inside -= index < inside ? 1 : 0;
        }
    }

    /** The number of admissions in the span of this length that ends now. */
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
