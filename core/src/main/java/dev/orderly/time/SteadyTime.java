package dev.orderly.time;

import java.time.Instant;
import java.util.concurrent.ThreadFactory;

/** The wall time of the start, advanced by the monotonic clock. */
final class SteadyTime implements Time {
    private final Time time;
    private final Instant start;
    private final long startNanos;

    SteadyTime(Time time, Instant notBefore) {
        this.time = time;
        Instant now = time.now();
        start = now.isBefore(notBefore) ? notBefore : now;
        startNanos = time.nanos();
    }

    @Override
    public Instant now() {
        return start.plusNanos(nanos() - startNanos);
    }

    @Override
    public Instant wall() {
        return time.wall();
    }

    @Override
    public void realign() {
        time.realign();
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public Time machine() {
        return time.machine();
    }

    @Override
    public ThreadFactory threads(String name) {
        return time.threads(name);
    }

    @Override
    public void park(long deadline) {
        time.park(deadline);
    }
}
