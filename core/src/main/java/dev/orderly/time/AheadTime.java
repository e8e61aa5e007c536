package dev.orderly.time;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/** A clock set right by another. */
record AheadTime(Time time, Supplier<Duration> by) implements Time {
    @Override
    public Instant now() {
        return time.now().plus(by.get());
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public void park(long deadline) {
        time.park(deadline);
    }
}
