package dev.orderly.room;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The passes that have not ended, by visitor and by end. Not thread-safe. */
final class LivePasses {
    private final Map<VisitorId, Live> byVisitor = new HashMap<>();
    /** An entry whose end is not the pass's own any more is passed over. */
    private final PriorityQueue<End> ends = new PriorityQueue<>();

    /** @param taken whether the visitor has shown it, which used up the ticket */
    record Live(VisitorId visitor, long place, long admittedAt, long until, boolean taken) {}

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

    void put(Live live) {
        Live before = byVisitor.put(live.visitor(), live);
        if (before == null || before.until() != live.until()) {
            ends.add(new End(live.until(), live.visitor()));
        }
    }

    void remove(VisitorId visitor) {
        byVisitor.remove(visitor);
    }

    /** Takes out what has ended. */
    List<Live> expire(long now) {
        List<Live> ended = new ArrayList<>();
        for (End first = ends.peek(); first != null && first.until() <= now; first = ends.peek()) {
            ends.remove();
            Live live = byVisitor.get(first.visitor());
            if (live != null && live.until() <= now) {
                byVisitor.remove(first.visitor());
                ended.add(live);
            }
        }
        return ended;
    }

    void clear() {
        byVisitor.clear();
        ends.clear();
    }
}
