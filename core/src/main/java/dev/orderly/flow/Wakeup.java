package dev.orderly.flow;

import dev.orderly.time.Time;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A wake-up signal for one waiting thread. Several rings count once, and a ring before the wait is not lost. Any thread
 * may ring; only one thread at a time may wait.
 */
public final class Wakeup {
    private final AtomicBoolean rung = new AtomicBoolean();
    private volatile @Nullable Thread waiter;

    /** Wakes the waiting thread, or makes its next wait return at once. Never blocks. */
    public void ring() {
        if (!rung.getAndSet(true)) {
            Thread thread = waiter;
            if (thread != null) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** Waits for a ring until the monotonic deadline. Returns early when interrupted and leaves the flag set. */
    public void await(Time time, long deadline) {
        waiter = Thread.currentThread();
        while (!rung.get() && !time.reached(deadline) && !Thread.currentThread().isInterrupted()) {
            time.park(deadline);
        }
        waiter = null;
        rung.set(false);
    }
}
