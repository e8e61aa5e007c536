package dev.orderly.store.postgres.job.scan;

import dev.orderly.flow.DutyCycle;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lower bound of the scan of an index by time whose first rows each round deletes: below are dead index entries, which
 * an old transaction can keep for long. From time to time the scan begins at the beginning, for rows that appeared
 * below. Thread-safe.
 */
public final class PassedBound {
    private static final Duration WHOLE = Duration.ofMinutes(1);

    private final Time time;
    private final DutyCycle duty;
    private final AtomicLong passed = new AtomicLong();
    private volatile long wholeAt;
    private volatile long began;

    public PassedBound(Time time) {
        this.time = time;
        duty = new DutyCycle(time);
        wholeAt = time.nanos();
    }

    /** The lower bound of the scan that begins now. */
    public long from() {
        began = time.nanos();
        return time.reached(wholeAt) ? 0 : passed.get();
    }

    /** Records the last row that the scan has deleted, or zero for none. */
    public void passed(long last) {
        if (time.reached(wholeAt)) {
            wholeAt = time.deadline(duty.done(WHOLE, began));
        }
        passed.accumulateAndGet(last, Math::max);
    }
}
