package dev.orderly.room.state;

import dev.orderly.room.VisitorId;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The visitors whose tokens are void before they expire, each with the moment until which the revocation must be known.
 * Beyond {@value #MOST} visitors, the revocations that end first are dropped. Not thread-safe.
 */
final class RevokedVisitors {
    private static final int MOST = 100_000;

    private final Map<VisitorId, Instant> untils = new HashMap<>();
    /** An entry that differs from the visitor's current end is skipped. */
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparing(End::until));
    private @Nullable Map<VisitorId, Instant> copy;

    private record End(Instant until, VisitorId visitor) {}

    /** Revokes a visitor until then at least. Returns the resulting end. */
    Instant add(VisitorId visitor, Instant until) {
        Instant before = untils.get(visitor);
        if (before != null && !before.isBefore(until)) {
            return before;
        }
        untils.put(visitor, until);
        ends.add(new End(until, visitor));
        copy = null;
        while (untils.size() > MOST) {
            removeFirst();
        }
        return until;
    }

    boolean contains(VisitorId visitor) {
        return untils.containsKey(visitor);
    }

    void expire(Instant now) {
        for (End first = ends.peek(); first != null && !first.until().isAfter(now); first = ends.peek()) {
            removeFirst();
        }
    }

    private void removeFirst() {
        End first = ends.remove();
        if (untils.remove(first.visitor(), first.until())) {
            copy = null;
        }
    }

    void clear() {
        untils.clear();
        ends.clear();
        copy = null;
    }

    /** All revocations. Copied once between two changes: every gate reads it every second. */
    Map<VisitorId, Instant> all() {
        Map<VisitorId, Instant> all = copy == null ? Map.copyOf(untils) : copy;
        copy = all;
        return all;
    }
}
