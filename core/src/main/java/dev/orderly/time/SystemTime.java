package dev.orderly.time;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** The clocks of the machine. */
final class SystemTime implements Time {
    static final SystemTime INSTANCE = new SystemTime();

    private SystemTime() {}

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void park(long deadline) {
        long left = deadline - System.nanoTime();
        if (left > 0) {
            LockSupport.parkNanos(this, left);
        }
    }
}
