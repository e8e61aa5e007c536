package dev.orderly.testkit.weather;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Handlers that compute: each takes a core, does not block, and does not hear an interrupt, until it is ended. Closing
 * ends all. Thread-safe.
 */
public final class Computation implements AutoCloseable {
    private final int count;
    private final CountDownLatch begun;
    private final AtomicLong turns = new AtomicLong();
    private volatile boolean over;

    /** @param count how many handlers are waited for */
    public Computation(int count) {
        this.count = count;
        begun = new CountDownLatch(count);
    }

    /** One more than there are cores: whatever they share with others is taken. */
    public static Computation onAllCores() {
        return new Computation(Runtime.getRuntime().availableProcessors() + 1);
    }

    /** How many it takes. */
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

    /** Whether as many as it takes have begun. */
    public boolean hasBegun() {
        return begun.getCount() == 0;
    }

    @Override
    public void close() {
        over = true;
    }
}
