package dev.orderly.room;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Which passes are being renewed, or just were: of the many requests of one page only one asks the store, the others
 * get the same answer or none. Thread-safe.
 */
final class Renewing {
    private final ConcurrentMap<VisitorId, Instant> until = new ConcurrentHashMap<>();

    /** True for the one who is to ask. */
    boolean begin(VisitorId visitor) {
        return until.putIfAbsent(visitor, Instant.EPOCH) == null;
    }

    /** The new end, if it is known already. */
    Optional<Instant> known(VisitorId visitor) {
        return Optional.ofNullable(until.get(visitor)).filter(end -> end.isAfter(Instant.EPOCH));
    }

    void done(VisitorId visitor, Instant end) {
        until.put(visitor, end);
    }

    void failed(VisitorId visitor) {
        until.remove(visitor);
    }

    /** Forgets those whose renewed pass is due again: its requests carry the new one by now. */
    void tidy(Instant due) {
        until.values().removeIf(end -> end.isAfter(Instant.EPOCH) && !end.isAfter(due));
    }
}
