package dev.orderly.bench.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Latencies from the call of push to the start of the handler.
 *
 * @param sorted in nanoseconds, without the first fifth, which warms up
 */
record Latencies(List<Long> sorted) {
    private static final int DIGITS = 20;
    private static final String FILLING = "x".repeat(180);

    /** A payload with the time of its push, by the monotonic clock, which all processes of a Linux machine share. */
    static String stamped(long nanos) {
        return String.format(Locale.ROOT, "%0" + DIGITS + "d", nanos) + FILLING;
    }

    static long stamp(String payload) {
        return Long.parseLong(payload, 0, DIGITS, 10);
    }

    /** Waits until {@code all} latencies have arrived. */
    static Latencies of(BlockingQueue<Long> coming, int all) throws InterruptedException {
        List<Long> came = new ArrayList<>(all);
        while (came.size() < all) {
            Long one = coming.poll(1, TimeUnit.MINUTES);
            if (one == null) {
                throw new IllegalStateException("Of " + all + " jobs " + came.size() + " ran");
            }
            came.add(one);
        }
        return new Latencies(came.stream().skip(all / 5).sorted().toList());
    }

    double millis(double share) {
        return sorted.get((int) ((sorted.size() - 1) * share)) / 1e6;
    }
}
