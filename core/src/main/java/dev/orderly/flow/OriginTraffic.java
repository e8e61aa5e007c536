package dev.orderly.flow;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/**
 * Statistics of an origin since the last {@link #take}: exchanges, failures, and the time until answers began.
 *
 * <p>Latencies are kept in four buckets a doubling, from a microsecond to about an hour, so a quantile is up to a
 * fourth too high and never too low. About 4 KiB, more on many cores, which write counters of their own. Thread-safe,
 * never blocks, takes no lock. A record concurrent with a {@link #take} is counted in this window or the next, never in
 * both or neither.
 */
public final class OriginTraffic {
    private static final int STEPS = 4; // in each doubling
    private static final int DOUBLINGS = 32;

    private final LongAdder[] buckets = Stream.generate(LongAdder::new).limit(STEPS * DOUBLINGS)
            .toArray(LongAdder[]::new);
    private final LongAdder failures = new LongAdder();

    /**
     * Records one exchange.
     *
     * @param headLatency from the request to the head of its answer, or to the failure
     * @param failed whether the origin could not serve the request: overloaded, broken or out of reach
     */
    public void record(Duration headLatency, boolean failed) {
        buckets[bucket(Math.max(0, headLatency.toNanos() / 1_000))].increment();
        if (failed) {
            failures.increment();
        }
    }

    /** The statistics since the last take, and a reset. */
    public Window take() {
        long[] counts = new long[buckets.length];
        long count = 0;
        for (int i = 0; i < counts.length; i++) {
            counts[i] = buckets[i].sumThenReset();
            count += counts[i];
        }
        long failed = Math.min(failures.sumThenReset(), count);
        return new Window(count, failed, quantile(counts, count, 0.5), quantile(counts, count, 0.95));
    }

    /**
     * The statistics of a stretch of time.
     *
     * @param count exchanges
     * @param failures failed exchanges
     * @param median half of the answers began within this time; zero if there were none
     * @param p95 95 % of the answers began within this time; zero if there were none
     */
    public record Window(long count, long failures, Duration median, Duration p95) {}

    private static Duration quantile(long[] counts, long count, double share) {
        long left = (long) Math.ceil(count * share);
        for (int i = 0; i < counts.length && count > 0; i++) {
            left -= counts[i];
            if (left <= 0) {
                return Duration.ofNanos(upperMicros(i) * 1_000);
            }
        }
        return Duration.ZERO;
    }

    private static int bucket(long micros) {
        if (micros < STEPS) {
            return (int) micros;
        }
        int doubling = 63 - Long.numberOfLeadingZeros(micros);
        int step = (int) (micros >>> (doubling - 2)) & (STEPS - 1);
        return Math.min((doubling - 1) * STEPS + step, STEPS * DOUBLINGS - 1);
    }

    /** The first value above a bucket. */
    private static long upperMicros(int bucket) {
        if (bucket < STEPS) {
            return bucket + 1L;
        }
        int doubling = bucket / STEPS + 1;
        return (long) (STEPS + bucket % STEPS + 1) << (doubling - 2);
    }
}
