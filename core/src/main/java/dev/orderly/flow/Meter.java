package dev.orderly.flow;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The rate of events over about the last minute: an exponentially weighted mean in steps of one second. Thread-safe.
 */
public final class Meter {
    private static final long STEP = Duration.ofSeconds(1).toNanos();
    private static final double KEEP = Math.exp(-1.0 / 60);

    private final ReentrantLock lock = new ReentrantLock();
    private final Time time;
    private final long origin;
    private long step;
    private long current;
    private double mean;

    public Meter(Time time) {
        this.time = time;
        this.origin = time.nanos();
    }

    public void mark(long events) {
        lock.lock();
        try {
            advance();
            current += events;
        } finally {
            lock.unlock();
        }
    }

    /** Events a second. In the first minute it is the mean of the time so far, so a new meter does not read low. */
    public double perSecond() {
        lock.lock();
        try {
            advance();
            return step == 0 ? current : mean / (1 - Math.pow(KEEP, (double) step));
        } finally {
            lock.unlock();
        }
    }

    private void advance() {
        long now = (time.nanos() - origin) / STEP;
        if (now > step) {
            mean = (mean * KEEP + current * (1 - KEEP)) * Math.pow(KEEP, (double) (now - step - 1));
            current = 0;
            step = now;
        }
    }
}
