package dev.orderly.store.sqlite.state;

import dev.orderly.store.sqlite.table.StoredJob;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Row counts of a queue, updated by the writer. The rows of the file at its opening are counted in the background and
 * added then.
 */
public final class QueueCounts {
    public final AtomicLong waiting = new AtomicLong();
    public final AtomicLong delayed = new AtomicLong();
    public final AtomicLong dead = new AtomicLong();
    public final AtomicLong ended = new AtomicLong();
    public final AtomicLong running = new AtomicLong();

    /** The count of rows in a stored state. */
    public AtomicLong of(int state) {
        return switch (state) {
            case StoredJob.WAITING -> waiting;
            case StoredJob.DELAYED -> delayed;
            default -> dead;
        };
    }

    /** Whether jobs have not ended, or are dead letters. */
    public boolean holdsJobs() {
        return waiting.get() + delayed.get() + dead.get() > 0;
    }

    /** Resets all counts except that of running jobs. */
    public void reset() {
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
