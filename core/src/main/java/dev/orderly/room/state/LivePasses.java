package dev.orderly.room.state;

import dev.orderly.room.VisitorId;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The passes that take a place inside, by visitor and by end: live passes, and passes that have ended while a gate is
 * out of reach whose lease may let them continue. Not thread-safe.
 */
final class LivePasses {
    private final Map<VisitorId, Live> byVisitor = new HashMap<>();
    private final Map<Long, VisitorId> byPlace = new HashMap<>();
    /** An entry that differs from the pass's current end is skipped. */
    private final PriorityQueue<End> ends = new PriorityQueue<>();
    private long now;

    /** @param taken whether the visitor has shown it, which used up the ticket */
    record Live(VisitorId visitor, long place, long until, boolean taken) {}

    private record End(long until, VisitorId visitor) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            return Long.compare(until, other.until);
        }
    }

    /** Places inside that are taken. */
    int count() {
        assert byPlace.size() <= byVisitor.size() : byPlace.size() + " places for " + byVisitor.size() + " passes";
        return byVisitor.size();
    }

    /** The visitor's pass, if it lives. */
    @Nullable
    Live find(VisitorId visitor) {
        Live pass = byVisitor.get(visitor);
        return pass == null || pass.until() <= now ? null : pass;
    }

    /** Whether a place inside is kept for this visitor, by a live or ended pass. */
    boolean keepsFor(VisitorId visitor) {
        return byVisitor.containsKey(visitor);
    }

    /** The visitor with a live pass that was issued for this place in line; null if there is none. */
    @Nullable
    VisitorId holder(long place) {
        VisitorId visitor = byPlace.get(place);
        return visitor == null || find(visitor) == null ? null : visitor;
    }

    /** Whether a live pass was issued for this place in line. */
    boolean holds(long place) {
        return holder(place) != null;
    }

    void put(Live live) {
        Live before = byVisitor.put(live.visitor(), live);
        byPlace.put(live.place(), live.visitor());
        if (before == null || before.until() != live.until()) {
            ends.add(new End(live.until(), live.visitor()));
        }
    }

    /** Gives the place inside that is kept for one visitor, if any, to another, and returns it. */
    @Nullable
    Live rename(VisitorId visitor, VisitorId to) {
        Live before = byVisitor.remove(visitor);
        if (before == null) {
            return null;
        }
        Live renamed = new Live(to, before.place(), before.until(), before.taken());
        put(renamed);
        return renamed;
    }

    void remove(VisitorId visitor) {
        Live gone = byVisitor.remove(visitor);
        if (gone != null) {
            byPlace.remove(gone.place());
        }
    }

    /**
     * Ends passes.
     *
     * @param moment passes that end by this moment are no longer live
     * @param free passes that ended by this moment free their places inside
     */
    void expire(long moment, long free) {
        now = moment;
        long by = Math.min(moment, free);
        for (End first = ends.peek(); first != null && first.until() <= by; first = ends.peek()) {
            ends.remove();
            Live live = byVisitor.get(first.visitor());
            if (live != null && live.until() <= by) {
                remove(first.visitor());
            }
        }
    }

    void clear() {
        byVisitor.clear();
        byPlace.clear();
        ends.clear();
    }
}
