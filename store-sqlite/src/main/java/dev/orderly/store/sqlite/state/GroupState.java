package dev.orderly.store.sqlite.state;

import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A group of a FIFO queue that has jobs, or may have. */
final class GroupState {
    /** Where the group stands in its line. */
    enum Stand {
        /** Nowhere: its jobs run, or it is halted. */
        APART,
        /** Among those that can run. */
        READY,
        /** Among those whose head waits for a moment. */
        HELD
    }

    final String name;
    /** Claims not settled yet, in push order. */
    final List<LockedJob> running = new ArrayList<>(1);
    Stand stand = Stand.APART;
    int halts;
    /** Not before this moment; zero if it can go on at once. */
    long heldUntil;
    /** The first job that is known to wait again, whether it holds the group back or not; zero if none. */
    long heldBy;
    /** Whether all its waiting jobs are in memory. */
    boolean complete;
    /** Its first waiting jobs, as far as they are in memory. */
    private @Nullable ArrayDeque<StoredJob> next;

    GroupState(String name, boolean complete) {
        this.name = name;
        this.complete = complete;
    }

    void keep(StoredJob row) {
        if (next == null) {
            next = new ArrayDeque<>(2);
        }
        next.addLast(row);
    }

    @Nullable
    StoredJob peek() {
        return next == null ? null : next.peekFirst();
    }

    StoredJob poll() {
        ArrayDeque<StoredJob> rows = next;
        if (rows == null) {
            throw new IllegalStateException("Group " + name + " has nothing in memory");
        }
        StoredJob row = rows.removeFirst();
        if (rows.isEmpty()) {
            next = null;
        }
        return row;
    }

    boolean isEmpty() {
        return complete && next == null && running.isEmpty() && halts == 0;
    }

    /** One of its jobs waits, again or still, for a moment or for nothing; only the first such job counts. */
    void hold(Place place) {
        if (heldBy == 0 || place.seq() <= heldBy) {
            heldUntil = place.readyAt();
            heldBy = place.seq();
        }
    }

    /** Its head is to be looked at again. */
    void unhold() {
        heldUntil = 0;
        heldBy = 0;
    }
}
