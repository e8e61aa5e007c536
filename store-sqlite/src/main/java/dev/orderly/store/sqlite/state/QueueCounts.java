package dev.orderly.store.sqlite.state;

import dev.orderly.store.sqlite.table.StoredJob;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many rows a queue has, kept by the writer as it goes. What was there before this process came is counted beside
 * the work and added when known.
 */
public final class QueueCounts {
    public final AtomicLong waiting = new AtomicLong();
    public final AtomicLong delayed = new AtomicLong();
    public final AtomicLong dead = new AtomicLong();
    public final AtomicLong ended = new AtomicLong();
    public final AtomicLong running = new AtomicLong();

    /** The count of the rows of this stored state. */
    public AtomicLong of(int state) {
        return switch (state) {
            case StoredJob.WAITING -> waiting;
            case StoredJob.DELAYED -> delayed;
            default -> dead;
        };
    }

    /** Begins at zero, but for what runs. */
    public void forget() {
        waiting.set(0);
        delayed.set(0);
        dead.set(0);
        ended.set(0);
    }

    public void moved(int from, int to) {
        if (from != to) {
            of(from).decrementAndGet();
            of(to).incrementAndGet();
        }
    }

    public void ended(int from) {
        of(from).decrementAndGet();
        ended.incrementAndGet();
    }
}
