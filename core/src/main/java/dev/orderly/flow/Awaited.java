package dev.orderly.flow;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** A condition that several threads may wait for. Thread-safe. */
final class Awaited {
    private final List<Wakeup> waiters = new CopyOnWriteArrayList<>();

    /** Makes waiting threads look at the condition again. Never blocks. */
    void changed() {
        waiters.forEach(Wakeup::ring);
    }

    /**
     * Waits until the condition holds, at most {@code patience}. Returns early when interrupted and leaves the flag.
     */
    void await(BooleanSupplier condition, Time time, Duration patience) {
        long deadline = time.deadline(patience);
        Wakeup changed = new Wakeup();
        waiters.add(changed);
        try {
            while (!condition.getAsBoolean() && !time.reached(deadline) && !Thread.currentThread().isInterrupted()) {
                changed.await(time, deadline);
            }
        } finally {
            waiters.remove(changed);
        }
    }
}
