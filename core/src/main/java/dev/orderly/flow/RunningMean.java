package dev.orderly.flow;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The mean duration of something, in which the last ten or twenty times count most. A time that comes while another is
 * counted is left out, so that no thread waits. Thread-safe.
 */
public final class RunningMean {
    private static final double NEWEST = 0.1;

    private final ReentrantLock lock = new ReentrantLock();
    private double nanos;
    private long times;

    public void took(Duration time) {
        if (!lock.tryLock()) {
            return;
        }
        try {
            times++;
            // A plain mean at first, so that the first time does not count too long.
            nanos += (time.toNanos() - nanos) * Math.max(NEWEST, 1.0 / times);
        } finally {
            lock.unlock();
        }
    }

    /** Empty before the first time. */
    public Optional<Duration> get() {
        lock.lock();
        try {
            return times == 0 ? Optional.empty() : Optional.of(Duration.ofNanos((long) nanos));
        } finally {
            lock.unlock();
        }
    }
}
