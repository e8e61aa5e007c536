package dev.orderly.history;

import dev.orderly.time.Time;
import java.util.Objects;

/** Reads the history of queues and rooms up to now. Thread-safe; blocks on the store. */
public final class HistoryReader {
    private final HistoryStore store;
    private final Time time;

    /** @param time the clock that the nodes share */
    public HistoryReader(HistoryStore store, Time time) {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(time, "time");
        this.store = store;
        this.time = time;
    }

    /**
     * The last points of a subject. A subject without a history, and a store in which none is recorded, has only
     * points that are null.
     *
     * @throws dev.orderly.store.StoreException if the store does not answer
     */
    public HistorySeries series(HistorySubject subject, HistoryRange range) {
        Objects.requireNonNull(subject, "subject");
        return HistorySeries.read(store, subject, range, time.now());
    }
}
