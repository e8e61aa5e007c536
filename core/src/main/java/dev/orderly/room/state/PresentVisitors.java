package dev.orderly.room.state;

import dev.orderly.room.store.GateId;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The visitors who are present and wait, by place: those at the door, and those behind it whom gates have told of.
 * Moments are milliseconds. Not thread-safe.
 */
final class PresentVisitors {
    private final Map<Long, Present> byPlace = new HashMap<>();
    private final PlaceOrder order = new PlaceOrder();
    /** An entry whose end is not the visitor's own any more is passed over. */
    private final PriorityQueue<End> ends = new PriorityQueue<>();

    /** @param gate who said so; null for the one the visitor asked last */
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

    /** Present until then at least. */
    void seen(long place, long until, @Nullable GateId gate) {
        Present before = byPlace.get(place);
        byPlace.put(place, new Present(before == null ? until : Math.max(before.until(), until), gate));
        order.add(place);
        if (before == null || before.until() < until) {
            ends.add(new End(until, place));
        }
    }

    /** Gone, if this gate is the one that last told of the visitor. */
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

    /** How many stand before this place, counted up to {@code most}. */
    int before(long place, int most) {
        return Math.min(most, order.before(place));
    }

    /** How many have places up to this one. */
    int upTo(long place) {
        return order.before(place + 1);
    }

    /** The place of the {@code n}th, counted from 1, among those behind {@code place} and up to {@code last}; 0 if none. */
    long nthBehind(long place, int n, long last) {
        long found = order.nth(order.before(place + 1) + n);
        return found > last ? 0 : found;
    }
}
