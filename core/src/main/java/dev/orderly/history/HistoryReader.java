package dev.orderly.history;

import dev.orderly.Internal;
import dev.orderly.room.RoomName;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the history of queues and rooms up to now. Thread-safe; blocks on the store. */
@Internal(to = "dev.orderly")
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

    /**
     * What happened in a room: by minutes in the last 24 hours, by hours before.
     *
     * @param since the begin; null for a day before the end
     * @param until the end; null for now
     * @throws IllegalArgumentException if the span is not positive, or longer than {@link RoomReport#LONGEST}
     * @throws dev.orderly.store.StoreException if the store does not answer
     */
    public RoomReport report(RoomName room, @Nullable Instant since, @Nullable Instant until) {
        return report(room, List.of(), since, until);
    }

    /**
     * As {@link #report(RoomName, Instant, Instant)}, also by tier. Reads the store once more for each tier.
     *
     * @param tiers names, of which those without a visitor in the span are left out
     */
    public RoomReport report(RoomName room, List<String> tiers, @Nullable Instant since, @Nullable Instant until) {
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(tiers, "tiers");
        Instant now = time.now();
        Instant end = until == null ? now : until;
        return RoomReport.read(store, room, tiers, since == null ? end.minus(Duration.ofDays(1)) : since, end, now);
    }
}
