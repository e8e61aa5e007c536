package dev.orderly.room.state;

import dev.orderly.room.RoomState.Line;
import dev.orderly.room.Tiers;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport.Presence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line of one epoch: the last place issued, the cursor, and the present visitors. Places have the number of the line
 * in their upper bits. Moments are milliseconds. Not thread-safe.
 */
final class VisitorLine {
    /**
     * Age up to which the count of visitors at the door is reused on joining, in milliseconds: counting on each join
     * would slow it down.
     */
    private static final int DOOR_COUNT_MAX_AGE = 100;

    private final PresentVisitors present = new PresentVisitors();
    private final long start;
    private long length;
    private long cursor;
    private long horizon;
    private boolean crowded;
    private int doorLately;
    private long doorCountedAt;

    /** @param number of the line, see {@link Tiers#line} */
    VisitorLine(int number) {
        start = Tiers.start(number);
        beginEpoch();
    }

    /** Takes over the stored state of a line. */
    void restore(long lastPlace, long lastCalled, boolean wasCrowded) {
        length = lastPlace;
        cursor = lastCalled;
        horizon = lastCalled;
        crowded = wasCrowded;
    }

    void beginEpoch() {
        restore(start, start, false);
        present.clear();
    }

    Line state() {
        assert cursor >= start && cursor <= length : "place " + cursor + " was called of " + length;
        return new Line(length, cursor, horizon, crowded);
    }

    /** After a draw of the places behind this one, gates report anew who is present there. */
    void drawn(long base) {
        horizon = Math.min(horizon, Math.max(base, cursor));
    }

    // ---- places

    /** Issues the next place. */
    long issue() {
        return ++length;
    }

    /**
     * Whether the place was issued. A place that was not issued yet, or was lost in a failover, will be another
     * visitor's.
     */
    boolean isIssued(long place) {
        return place > start && place <= length;
    }

    boolean isCalled(long place) {
        return place <= cursor;
    }

    /** Calls all places up to this place. Returns the number of places newly called. */
    long call(long place) {
        long before = cursor;
        cursor = Math.max(cursor, place);
        return cursor - before;
    }

    /** Whether no place was issued. */
    boolean isUnused() {
        return length == start;
    }

    /** The highest place up to which gates report visitors. */
    long horizon() {
        return horizon;
    }

    /**
     * The place up to which to call, so that {@code door} present visitors are at the door.
     *
     * @param farther the new horizon, unless the current one is farther
     * @param covered the highest place that may be called
     */
    long toCall(int door, long farther, long covered) {
        horizon = Math.max(horizon, farther);
        int missing = door - atDoor();
        if (missing <= 0) {
            return cursor;
        }
        long last = Math.min(length, covered);
        long place = present.nthBehind(cursor, missing, last);
        return place == 0 ? last : place;
    }

    // ---- present visitors

    /** Marks the visitor of a place as present until then at least. */
    void seen(long place, long until, @Nullable GateId gate) {
        present.seen(place, until, gate);
    }

    /** Removes the visitor, unless another gate reported the visitor last. */
    void left(long place, GateId gate) {
        present.left(place, gate);
    }

    void gone(long place) {
        present.remove(place);
    }

    void expire(long now) {
        present.expire(now);
    }

    int present() {
        return present.count();
    }

    /** The lowest places of present visitors, each with the end of its presence. */
    List<Presence> presences(int most) {
        return present.first(most);
    }

    /** Present visitors with lower places, counted up to {@code most}. */
    int before(long place, int most) {
        return present.before(place, most);
    }

    /** Called visitors who are present. */
    int atDoor() {
        return present.upTo(cursor);
    }

    /** Places not yet called, and visitors at the door as of at most a tenth of a second ago. */
    long ahead(long now) {
        if (now - doorCountedAt >= DOOR_COUNT_MAX_AGE) {
            doorCountedAt = now;
            doorLately = atDoor();
        }
        return length - cursor + Math.min(present.count(), doorLately);
    }

    /** Present visitors up to this place. */
    int presentUpTo(long place) {
        return present.upTo(place);
    }

    /** Sets whether visitors wait. Returns whether that changed. */
    boolean setCrowded(boolean value) {
        boolean before = crowded;
        crowded = value;
        return crowded != before;
    }
}
