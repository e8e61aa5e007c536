package dev.orderly.room.state;

import dev.orderly.room.VisitorId;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The visitors whose tokens are void before they expire, and until when that has to be known; of very many those are
 * forgotten that would be soonest. Not thread-safe.
 */
final class RevokedVisitors {
    private static final int MOST = 100_000;

    private final Map<VisitorId, Instant> untils = new HashMap<>();
    /** An entry whose end is not the visitor's own any more is passed over. */
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparing(End::until));
    private @Nullable Map<VisitorId, Instant> copy;

    private record End(Instant until, VisitorId visitor) {}

    /** Until then at least. Gives until when. */
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

    /** All of them, as of now. Copied once between two changes: every gate asks for it every second. */
    Map<VisitorId, Instant> all() {
        Map<VisitorId, Instant> all = copy == null ? Map.copyOf(untils) : copy;
        copy = all;
        return all;
    }
}
