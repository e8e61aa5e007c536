package dev.orderly.store.sqlite.state;

import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A group of a FIFO queue that has or may have jobs. */
final class GroupState {
    /** The scheduling phase of a group. */
    enum Phase {
        /** Its jobs run, or it is halted. */
        INACTIVE,
        /** It can be claimed from. */
        READY,
        /** Its first job waits for its due moment. */
        DELAYED
    }

    final String name;
    /** Claimed, unsettled jobs in push order. */
    final List<LockedJob> running = new ArrayList<>(1);
    Phase phase = Phase.INACTIVE;
    int halts;
    /** The moment until which the group is delayed; zero if it is not. */
    long delayedUntil;
    /** The first job that is known to be waiting again, whether it delays the group or not; zero if none. */
    long delayedBy;
    /** No job up to this sequence number waits, though the index may have entries that are not removed yet. */
    long startsAfter;
    /** All waiting jobs up to this sequence number are buffered. */
    long readThrough;
    /** The last job that the queue's scan has passed without buffering it. */
    long passed;
    /** Whether all waiting jobs of the group are buffered. */
    boolean complete;
    /** The buffered first waiting jobs. */
    private @Nullable ArrayDeque<StoredJob> next;

    GroupState(String name, boolean complete) {
        this.name = name;
        this.complete = complete;
    }

    void keep(StoredJob row) {
        readThrough = row.seq();
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
            throw new IllegalStateException("Group " + name + " has no buffered jobs");
        }
        StoredJob row = rows.removeFirst();
        if (rows.isEmpty()) {
            next = null;
        }
        return row;
    }

    int buffered() {
        return next == null ? 0 : next.size();
    }

    /** Whether the queue's scan has passed no job that waits and is not buffered. */
    boolean isContiguous() {
        return readThrough >= passed;
    }

    /** Whether the queue's scan may buffer a further job. */
    boolean takesMore(int most) {
        return buffered() < most && halts == 0 && delayedUntil == 0;
    }

    /** Whether the first jobs of the group are known since the restart. */
    boolean isKnown() {
        return startsAfter > 0;
    }

    boolean isEmpty() {
        return complete && next == null && running.isEmpty() && halts == 0;
    }

    /** Records that a job of the group is waiting again, with or without a delay; only the first such job counts. */
    void delay(Place place) {
        if (delayedBy == 0 || place.seq() <= delayedBy) {
            delayedUntil = place.readyAt();
            delayedBy = place.seq();
        }
    }

    /** Clears the delay: the next claim checks the first job again. */
    void clearDelay() {
        delayedUntil = 0;
        delayedBy = 0;
    }
}
