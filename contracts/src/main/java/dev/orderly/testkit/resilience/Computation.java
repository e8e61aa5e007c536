package dev.orderly.testkit.resilience;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Handlers that compute: each occupies a core, does not block, and ignores interrupts, until it is ended.
 * {@link #close} ends all of them. Thread-safe.
 */
public final class Computation implements AutoCloseable {
    private final int count;
    private final CountDownLatch begun;
    private final AtomicLong turns = new AtomicLong();
    private volatile boolean over;

    /** @param count the number of handlers that {@link #hasBegun} waits for */
    public Computation(int count) {
        this.count = count;
        begun = new CountDownLatch(count);
    }

    /** One more than there are cores, so that every core is occupied. */
    public static Computation onAllCores() {
        return new Computation(Runtime.getRuntime().availableProcessors() + 1);
    }

    /** The number of handlers. */
    public int count() {
        return count;
    }

    /** Computes on the calling thread until the end. */
    public void run() {
        begun.countDown();
        while (!over) {
            for (int i = 0; i < 1_000; i++) {
                Thread.onSpinWait();
            }
            turns.incrementAndGet();
        }
    }

    /** Whether all handlers have begun. */
    public boolean hasBegun() {
        return begun.getCount() == 0;
    }

    @Override
    public void close() {
        over = true;
    }
}
