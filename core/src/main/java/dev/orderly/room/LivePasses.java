package dev.orderly.room;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The passes that have not ended, by visitor and by end. Not thread-safe. */
final class LivePasses {
    private final Map<VisitorId, Live> byVisitor = new HashMap<>();
    private final Set<Long> places = new HashSet<>();
    /** An entry whose end is not the pass's own any more is passed over. */
    private final PriorityQueue<End> ends = new PriorityQueue<>();

    /** @param taken whether the visitor has shown it, which used up the ticket */
    record Live(VisitorId visitor, long place, long until, boolean taken) {}

    private record End(long until, VisitorId visitor) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            return Long.compare(until, other.until);
        }
    }

    int count() {
        return byVisitor.size();
    }

    @Nullable
    Live find(VisitorId visitor) {
        return byVisitor.get(visitor);
    }

    /** Whether a pass lives that was given for this place. */
    boolean holds(long place) {
        return places.contains(place);
    }

    void put(Live live) {
        Live before = byVisitor.put(live.visitor(), live);
        places.add(live.place());
        if (before == null || before.until() != live.until()) {
            ends.add(new End(live.until(), live.visitor()));
        }
    }

    void remove(VisitorId visitor) {
        Live gone = byVisitor.remove(visitor);
        if (gone != null) {
            places.remove(gone.place());
        }
    }

    /** Takes out what has ended. */
    void expire(long now) {
        for (End first = ends.peek(); first != null && first.until() <= now; first = ends.peek()) {
            ends.remove();
            Live live = byVisitor.get(first.visitor());
            if (live != null && live.until() <= now) {
                remove(first.visitor());
            }
        }
    }

    void clear() {
        byVisitor.clear();
        places.clear();
        ends.clear();
    }
}
