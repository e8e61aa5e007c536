package dev.orderly.job.store;

import dev.orderly.job.JobId;
import java.time.Instant;

/**
 * Strictly increasing numbers that contain the time: 48 bits of Unix milliseconds, then 15 bits of counter.
 *
 * <p>When the clock does not advance, goes back, or the 32,768 numbers of a millisecond are spent, the numbers run
 * ahead of the clock instead of repeating. Not thread-safe: one owner draws numbers, in commit order.
 */
public final class JobSequence {
    private long last;

    /** A sequence that continues after {@code last}; zero for a new sequence. */
    public JobSequence(long last) {
        this.last = last;
    }

    /** The next number: at least the first of this millisecond, and larger than all numbers drawn before. */
    public long next(Instant now) {
        last = Math.max(last + 1, startOf(now));
        return last;
    }

    /**
     * The smallest number of the given millisecond. Numbers drawn earlier are smaller, unless they ran ahead of the
     * clock.
     */
    public static long startOf(Instant moment) {
        return Math.max(0, moment.toEpochMilli()) << JobId.COUNTER_BITS;
    }

    /** The millisecond that a number contains. */
    public static Instant timeOf(long sequence) {
        return Instant.ofEpochMilli(sequence >>> JobId.COUNTER_BITS);
    }
}
