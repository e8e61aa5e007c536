package dev.orderly.room.state;

import dev.orderly.room.VisitorId;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The visitors whose tokens are void before they expire, each with the moment until which the revocation must be known.
 * Beyond {@value #MOST} visitors, the revocations that end first are dropped, but none of a moved place or a used
 * invitation, whose number has a bound of its own. Not thread-safe.
 */
final class RevokedVisitors {
    private static final int MOST = 100_000;

    private final Map<VisitorId, Instant> untils = new HashMap<>();
    /** An entry that differs from the visitor's current end is skipped. */
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparing(End::until));
    /** As {@link #ends}, of the visitors with successors. */
    private final PriorityQueue<End> movesEnd = new PriorityQueue<>(Comparator.comparing(End::until));
    private final Map<VisitorId, VisitorId> successors = new HashMap<>();
    private @Nullable Map<VisitorId, Instant> copy;
    private @Nullable Set<VisitorId> movedCopy;

    private record End(Instant until, VisitorId visitor) {}

    /** Revokes a visitor until then at least. Returns the resulting end. */
    Instant add(VisitorId visitor, Instant until) {
        Instant before = untils.get(visitor);
        if (before != null && !before.isBefore(until)) {
            return before;
        }
        untils.put(visitor, until);
        (successors.containsKey(visitor) ? movesEnd : ends).add(new End(until, visitor));
        copy = null;
        while (untils.size() - successors.size() > MOST) {
            removeFirst(ends);
        }
        return until;
    }

    /** Revokes a visitor whose place another visitor has now. Returns the resulting end. */
    Instant add(VisitorId visitor, Revocation revocation) {
        if (revocation.movedTo() != null) {
            successors.put(visitor, revocation.movedTo());
            movedCopy = null;
        }
        return add(visitor, revocation.until());
    }

    /** The visitor who has the place now; null if the visitor's place was not moved. */
    @Nullable
    VisitorId movedTo(VisitorId visitor) {
        return successors.get(visitor);
    }

    /** The end of the visitor's revocation; null for a visitor who is not revoked. */
    @Nullable
    Instant until(VisitorId visitor) {
        return untils.get(visitor);
    }

    /** The number of visitors whose places were moved. */
    int moves() {
        return successors.size();
    }

    boolean contains(VisitorId visitor) {
        return untils.containsKey(visitor);
    }

    void expire(Instant now) {
        expire(ends, now);
        expire(movesEnd, now);
    }

    private void expire(PriorityQueue<End> queue, Instant now) {
        for (End first = queue.peek(); first != null && !first.until().isAfter(now); first = queue.peek()) {
            removeFirst(queue);
        }
    }

    private void removeFirst(PriorityQueue<End> queue) {
        End first = queue.remove();
        if (untils.remove(first.visitor(), first.until())) {
            copy = null;
            if (successors.remove(first.visitor()) != null) {
                movedCopy = null;
            }
        }
    }

    void clear() {
        untils.clear();
        successors.clear();
        movedCopy = null;
        ends.clear();
        movesEnd.clear();
        copy = null;
    }

    /** All revocations. Copied once between two changes: every gate reads it every second. */
    Map<VisitorId, Instant> all() {
        Map<VisitorId, Instant> all = copy == null ? Map.copyOf(untils) : copy;
        copy = all;
        return all;
    }

    /** The visitors whose places were moved. */
    Set<VisitorId> moved() {
        Set<VisitorId> all = movedCopy == null ? Set.copyOf(successors.keySet()) : movedCopy;
        movedCopy = all;
        return all;
    }
}
