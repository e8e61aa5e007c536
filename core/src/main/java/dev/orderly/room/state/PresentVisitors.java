package dev.orderly.room.state;

import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport.Presence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The present visitors who wait, by place: visitors at the door, and visitors behind it whom gates have reported.
 * Moments are milliseconds. Not thread-safe.
 */
final class PresentVisitors {
    private final Map<Long, Present> byPlace = new HashMap<>();
    private final PlaceOrder order = new PlaceOrder();
    /** An entry that differs from the visitor's current end is skipped. */
    private final PriorityQueue<End> ends = new PriorityQueue<>();

    /**
     * @param gate the gate that reported the visitor last; null if the visitor asked for an admission or a place since
     */
    private record Present(long until, @Nullable GateId gate) {}

    private record End(long until, long place) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            return Long.compare(until, other.until);
        }
    }

    int count() {
        return byPlace.size();
    }

    /** Marks the visitor of a place as present until then at least. */
    void seen(long place, long until, @Nullable GateId gate) {
        Present before = byPlace.get(place);
        byPlace.put(place, new Present(before == null ? until : Math.max(before.until(), until), gate));
        order.add(place);
        if (before == null || before.until() < until) {
            ends.add(new End(until, place));
        }
    }

    /** Removes the visitor, unless another gate reported the visitor last. */
    void left(long place, GateId gate) {
        Present before = byPlace.get(place);
        if (before != null && (before.gate() == null || before.gate().equals(gate))) {
            remove(place);
        }
    }

    void remove(long place) {
        byPlace.remove(place);
        order.remove(place);
    }

    void clear() {
        byPlace.clear();
        order.clear();
        ends.clear();
    }

    void expire(long now) {
        for (End first = ends.peek(); first != null && first.until() <= now; first = ends.peek()) {
            ends.remove();
            Present present = byPlace.get(first.place());
            if (present != null && present.until() <= now) {
                remove(first.place());
            }
        }
    }

    /** The lowest places, at most {@code most}, each with the end of its presence. */
    List<Presence> first(int most) {
        List<Presence> first = new ArrayList<>();
        for (int n = 1; n <= Math.min(most, byPlace.size()); n++) {
            long place = order.nth(n);
            first.add(new Presence(place, Instant.ofEpochMilli(Objects.requireNonNull(byPlace.get(place)).until())));
        }
        return first;
    }

    /** Present visitors before this place, counted up to {@code most}. */
    int before(long place, int most) {
        return Math.min(most, order.before(place));
    }

    /** Present visitors with places up to this place. */
    int upTo(long place) {
        return order.before(place + 1);
    }

    /**
     * The place of the {@code n}th present visitor, counted from 1, behind {@code place} and up to {@code last}; 0 if
     * there is none.
     */
    long nthBehind(long place, int n, long last) {
        long found = order.nth(order.before(place + 1) + n);
        return found > last ? 0 : found;
    }
}
