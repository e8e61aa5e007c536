package dev.orderly.store.sqlite;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many rows a queue has, kept by the writer as it goes. What was there before this process came is counted beside
 * the work and added when known.
 */
final class Counts {
    final AtomicLong waiting = new AtomicLong();
    final AtomicLong delayed = new AtomicLong();
    final AtomicLong dead = new AtomicLong();
    final AtomicLong ended = new AtomicLong();
    final AtomicLong running = new AtomicLong();

    /** The count of the rows of this stored state. */
    AtomicLong of(int state) {
        return switch (state) {
            case JobRow.WAITING -> waiting;
            case JobRow.DELAYED -> delayed;
            default -> dead;
        };
    }

    /** Begins at zero, but for what runs. */
    void forget() {
        waiting.set(0);
        delayed.set(0);
        dead.set(0);
        ended.set(0);
    }

    void moved(int from, int to) {
        if (from != to) {
            of(from).decrementAndGet();
            of(to).incrementAndGet();
        }
    }

    void ended(int from) {
        of(from).decrementAndGet();
        ended.incrementAndGet();
    }
}
