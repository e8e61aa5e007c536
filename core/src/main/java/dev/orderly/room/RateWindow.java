package dev.orderly.room;

import dev.orderly.Internal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The admissions of the last hour, and how many more a rate allows now. Moments are milliseconds of one steady clock.
 * Not thread-safe.
 */
@Internal(to = "dev.orderly")
public final class RateWindow {
    private static final long KEEP = Rate.LONGEST.toMillis();
    private static final int SMALLEST = 64;

    private long[] times = new long[SMALLEST];
    /**
     * Positions of the oldest admission kept, of the oldest inside the period, and behind the newest. They only grow,
     * and are indexes modulo the length.
     */
    private long kept;
    private long inside;
    private long end;
    private @Nullable Rate rate;

    /** Sets the rate; earlier admissions count towards it. Null for no rate. */
    public void keepTo(@Nullable Rate value) {
        if (value != null && !value.equals(rate)) {
            inside = kept;
        }
        rate = value;
    }

    /** Admissions that the rate allows now; {@link Integer#MAX_VALUE} without a rate. */
    public int free(long now) {
        if (rate == null) {
            return Integer.MAX_VALUE;
        }
        forget(now);
        long before = now - rate.period().toMillis();
        while (inside < end && at(inside) <= before) {
            inside++;
        }
        return (int) Math.max(0, rate.admissions() - (end - inside));
    }

    public void add(long now, int count) {
        forget(now);
        for (int n = 0; n < count; n++) {
            if (end - kept == times.length) {
                grow();
            }
            times[(int) (end++ % times.length)] = now;
        }
    }

    private void forget(long now) {
        while (kept < end && at(kept) <= now - KEEP) {
            kept++;
        }
        inside = Math.max(inside, kept);
    }

    private long at(long index) {
        return times[(int) (index % times.length)];
    }

    private void grow() {
        long[] larger = new long[Math.multiplyExact(times.length, 2)];
        int count = (int) (end - kept);
        for (int i = 0; i < count; i++) {
            larger[i] = at(kept + i);
        }
        inside -= kept;
        kept = 0;
        end = count;
        times = larger;
    }

    @Override
    public String toString() {
        return rate + " " + Arrays.toString(times);
    }
}
