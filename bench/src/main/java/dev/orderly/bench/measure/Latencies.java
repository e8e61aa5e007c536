package dev.orderly.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Latencies of one kind of call, such as from the call of push to the start of the handler.
 *
 * @param sorted in nanoseconds
 */
public record Latencies(List<Long> sorted) {
    private static final int DIGITS = 20;
    private static final String FILLING = "x".repeat(180);

    /** A payload with the time of its push, by the monotonic clock, which all processes of a Linux machine share. */
    public static String stamped(long nanos) {
        return String.format(Locale.ROOT, "%0" + DIGITS + "d", nanos) + FILLING;
    }

    /** The time in a payload made by {@link #stamped}. */
    public static long stamp(String payload) {
        return Long.parseLong(payload, 0, DIGITS, 10);
    }

    /** Latencies in any order. */
    public static Latencies of(List<Long> nanos) {
        return new Latencies(nanos.stream().sorted().toList());
    }

    /** Waits until {@code all} latencies have arrived; leaves out the first fifth, which warms up. */
    public static Latencies of(BlockingQueue<Long> coming, int all) throws InterruptedException {
        List<Long> came = new ArrayList<>(all);
        while (came.size() < all) {
            Long one = coming.poll(1, TimeUnit.MINUTES);
            if (one == null) {
                throw new IllegalStateException("Of " + all + " jobs " + came.size() + " ran");
            }
            came.add(one);
        }
        return of(came.subList(all / 5, all));
    }

    /** Median, p99 and maximum. */
    public Figure.Millis millis() {
        return sorted.isEmpty() ? Figure.Millis.NONE : new Figure.Millis(millis(0.5), millis(0.99), millis(1));
    }

    private double millis(double share) {
        return sorted.get((int) ((sorted.size() - 1) * share)) / 1e6;
    }
}
