package dev.orderly.job.store;

import dev.orderly.job.JobId;
import java.time.Instant;

/**
 * Strictly increasing numbers that carry the time: 48 bits of Unix milliseconds, then 15 bits of counter.
 *
 * <p>When the clock stands still, goes back or a millisecond's 32,768 numbers are spent, the numbers run ahead of the
 * clock instead of repeating. Not thread-safe: one owner draws, in commit order.
 */
public final class JobSequence {
    private long last;

    /** Continues after {@code last}; zero to start afresh. */
    public JobSequence(long last) {
        this.last = last;
    }

    /** The next number: at least the first of this millisecond, larger than every number drawn before. */
    public long next(Instant now) {
        last = Math.max(last + 1, startOf(now));
        return last;
    }

    /** The smallest number of the given millisecond: those pushed earlier have smaller ones. */
    public static long startOf(Instant moment) {
        return Math.max(0, moment.toEpochMilli()) << JobId.COUNTER_BITS;
    }

    /** The millisecond that a number carries. */
    public static Instant timeOf(long sequence) {
        return Instant.ofEpochMilli(sequence >>> JobId.COUNTER_BITS);
    }
}
