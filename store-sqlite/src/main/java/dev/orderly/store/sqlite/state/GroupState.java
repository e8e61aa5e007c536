package dev.orderly.store.sqlite.state;

import dev.orderly.store.sqlite.table.StoredJob;
import dev.orderly.store.sqlite.table.StoredJob.Place;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A group of a FIFO queue that has or may have jobs. Millions of groups may wait for their turn at once, so that what
 * only the others need is an object of its own.
 */
final class GroupState {
    /** The scheduling phase of a group. */
    enum Phase {
        /** Its jobs run, or it is halted. */
        INACTIVE,
        /** It can be claimed from. */
        READY,
        /** Its first job waits for its due moment, or its rate lets none start before a moment. */
        DELAYED,
        /** It could be claimed from, and is paused. */
        PAUSED
    }

    final String name;
    Phase phase = Phase.INACTIVE;
    /** No job up to this sequence number waits, though the index may have entries that are not removed yet. */
    long startsAfter;
    /** All waiting jobs up to this sequence number are buffered. */
    long readThrough;
    /** The last job that the queue's scan has passed without buffering it. */
    long passed;
    /** Whether all waiting jobs of the group are buffered. */
    boolean complete;
    private @Nullable Activity activity;

    /** What a group has while it does not just wait for its turn. */
    private static final class Activity {
        /** Claimed, unsettled jobs in push order. */
        final List<LockedJob> running = new ArrayList<>(1);
        int halts;
        /** The moment until which the group is delayed; zero if it is not. */
        long delayedUntil;
        /** The first job that is known to be waiting again, whether it delays the group or not; zero if none. */
        long delayedBy;
        /** The buffered first waiting jobs. */
        @Nullable
        ArrayDeque<StoredJob> next;

        boolean isOver() {
            return running.isEmpty() && halts == 0 && delayedBy == 0 && next == null;
        }
    }

    GroupState(String name, boolean complete) {
        this.name = name;
        this.complete = complete;
    }

    private Activity active() {
        Activity now = activity;
        if (now == null) {
            now = new Activity();
            activity = now;
        }
        return now;
    }

    /** Releases memory that a group does not need while it waits for its turn. */
    void rest() {
        if (activity != null && activity.isOver()) {
            activity = null;
        }
    }

    void keep(StoredJob row) {
        readThrough = row.seq();
        Activity now = active();
        if (now.next == null) {
            now.next = new ArrayDeque<>(2);
        }
        now.next.addLast(row);
    }

    @Nullable
    StoredJob peek() {
        return activity == null || activity.next == null ? null : activity.next.peekFirst();
    }

    StoredJob poll() {
        ArrayDeque<StoredJob> rows = activity == null ? null : activity.next;
        if (rows == null) {
            throw new IllegalStateException("Group " + name + " has no buffered jobs");
        }
        StoredJob row = rows.removeFirst();
        if (rows.isEmpty()) {
            active().next = null;
        }
        return row;
    }

    int buffered() {
        return activity == null || activity.next == null ? 0 : activity.next.size();
    }

    /** The number of claimed, unsettled jobs. */
    int running() {
        return activity == null ? 0 : activity.running.size();
    }

    boolean isRunning() {
        return activity != null && !activity.running.isEmpty();
    }

    /** Adds a claimed job behind the others. */
    void started(LockedJob job) {
        active().running.add(job);
    }

    /** Removes a settled job, if it is there. */
    void settled(LockedJob job) {
        if (activity != null) {
            activity.running.remove(job);
        }
    }

    /** Notes that the first claimed job has no earlier one that could keep it from running. */
    void promote() {
        if (activity != null && !activity.running.isEmpty()) {
            activity.running.getFirst().mayHaveRun = true;
        }
    }

    /** The number of dead letters that halt the group. */
    int halts() {
        return activity == null ? 0 : activity.halts;
    }

    void changeHalts(int by) {
        active().halts += by;
    }

    /** Whether the queue's scan has passed no job that waits and is not buffered. */
    boolean isContiguous() {
        return readThrough >= passed;
    }

    /** Whether the queue's scan may buffer a further job. */
    boolean takesMore(int most) {
        return buffered() < most && halts() == 0 && delayedUntil() == 0 && phase != Phase.PAUSED;
    }

    /** Whether the first jobs of the group are known since the restart. */
    boolean isKnown() {
        return startsAfter > 0;
    }

    boolean isEmpty() {
        return complete && buffered() == 0 && !isRunning() && halts() == 0;
    }

    /** The moment until which the group is delayed; zero if it is not. */
    long delayedUntil() {
        return activity == null ? 0 : activity.delayedUntil;
    }

    /** The first job that is known to be waiting again, whether it delays the group or not; zero if none. */
    long delayedBy() {
        return activity == null ? 0 : activity.delayedBy;
    }

    /** Records that a job of the group is waiting again, with or without a delay; only the first such job counts. */
    void delay(Place place) {
        Activity now = active();
        if (now.delayedBy == 0 || place.seq() <= now.delayedBy) {
            now.delayedUntil = place.readyAt();
            now.delayedBy = place.seq();
        }
    }

    /** Delays the group, whose rate lets no job start before a moment; no job delays it then. */
    void restUntil(long moment) {
        Activity now = active();
        now.delayedUntil = moment;
        now.delayedBy = 0;
    }

    /** Whether its rate, not a job, delays the group. */
    boolean rests() {
        return phase == Phase.DELAYED && delayedUntil() != 0 && delayedBy() == 0;
    }

    /** Clears the delay: the next claim checks the first job again. */
    void clearDelay() {
        if (activity != null) {
            activity.delayedUntil = 0;
            activity.delayedBy = 0;
        }
    }
}
