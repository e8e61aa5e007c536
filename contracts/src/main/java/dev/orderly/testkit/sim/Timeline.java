package dev.orderly.testkit.sim;

import java.util.BitSet;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Future events by millisecond; events of one millisecond in the order in which they were added. A ring of the next
 * seconds, since most events are due within them and a heap of all would compare each event many times.
 */
final class Timeline {
    /** Length of the ring in milliseconds: a power of two. */
    private static final int RING = 1 << 14;
    private static final int MASK = RING - 1;

    /** The events of each millisecond of the ring, as linked lists. */
    private final @Nullable Event[] first = new Event[RING];
    private final @Nullable Event[] last = new Event[RING];
    /** The milliseconds of the ring that have events. */
    private final BitSet due = new BitSet(RING);
    /** The events behind the ring. */
    private final PriorityQueue<Event> later = new PriorityQueue<>();
    private long now;
    private long numbered;

    private static final class Event implements Comparable<Event> {
        final long at;
        final long number;
        final Runnable what;
        @Nullable
        Event next;

        Event(long at, long number, Runnable what) {
            this.at = at;
            this.number = number;
            this.what = what;
        }

        @Override
        public int compareTo(Event other) {
            return at == other.at ? Long.compare(number, other.number) : Long.compare(at, other.at);
        }
    }

    /** The millisecond of the last event returned by {@link #next}. */
    long now() {
        return now;
    }

    /** @param at not before {@link #now} */
    void add(long at, Runnable what) {
        Event event = new Event(at, numbered++, what);
        if (at - now < RING) {
            append(event);
        } else {
            later.add(event);
        }
    }

    private void append(Event event) {
        int slot = (int) event.at & MASK;
        Event before = last[slot];
        if (before == null) {
            first[slot] = event;
            due.set(slot);
        } else {
            before.next = event;
        }
        last[slot] = event;
    }

    /** Removes the next event, whose moment becomes {@link #now}; null if there is none. */
    @Nullable
    Runnable next() {
        if (due.isEmpty()) {
            Event far = later.peek();
            if (far == null) {
                return null;
            }
            moveTo(far.at);
        }
        int here = (int) now & MASK;
        int slot = due.nextSetBit(here);
        if (slot < 0) {
            slot = due.nextSetBit(0);
        }
        moveTo(now + (slot - here & MASK));
        return removeFirst(slot);
    }

    /** Events that come into the ring were added before all others of their millisecond. */
    private void moveTo(long moment) {
        now = moment;
        for (Event next = later.peek(); next != null && next.at - now < RING; next = later.peek()) {
            later.remove();
            append(next);
        }
    }

    private @Nullable Runnable removeFirst(int slot) {
        Event event = first[slot];
        if (event == null) {
            return null;
        }
        first[slot] = event.next;
        if (event.next == null) {
            last[slot] = null;
            due.clear(slot);
        }
        return event.what;
    }
}
