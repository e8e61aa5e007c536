package dev.orderly.room.state;

import dev.orderly.room.RoomState.Line;
import dev.orderly.room.store.GateId;
import org.jspecify.annotations.Nullable;

/**
 * The line of one epoch: how many places were issued, up to which one they were called, and which visitors are present.
 * Moments are milliseconds. Not thread-safe.
 */
final class VisitorLine {
    /** Counted more often, visitors at the door would slow down joining. */
    private static final int DOOR_COUNTED_EVERY = 100;

    private final PresentVisitors presences = new PresentVisitors();
    private long length;
    private long cursor;
    private long horizon;
    private boolean crowded;
    private int doorLately;
    private long doorCountedAt;

    /** Begins with what was kept of a room. */
    void restore(long lastPlace, long lastCalled, boolean wasCrowded) {
        length = lastPlace;
        cursor = lastCalled;
        horizon = lastCalled;
        crowded = wasCrowded;
    }

    void beginAnew() {
        restore(0, 0, false);
        presences.clear();
    }

    Line state() {
        return new Line(length, cursor, horizon, crowded);
    }

    // ---- places

    /** The next place. */
    long issue() {
        return ++length;
    }

    /** A place that was not issued yet, or was lost in a failover, is going to be another visitor's. */
    boolean isIssued(long place) {
        return place >= 1 && place <= length;
    }

    boolean isCalled(long place) {
        return place <= cursor;
    }

    /** Calls all places up to this one; says how many are called by that. */
    long call(long place) {
        long before = cursor;
        cursor = Math.max(cursor, place);
        return cursor - before;
    }

    /** Gates report visitors with places up to this one. */
    long horizon() {
        return horizon;
    }

    /**
     * Up to which place to call, so that so many present visitors are at the door.
     *
     * @param farther the horizon from now on, unless it is farther already
     * @param covered nobody behind this place is called
     */
    long toCall(int door, long farther, long covered) {
        horizon = Math.max(horizon, farther);
        int missing = door - atDoor();
        if (missing <= 0) {
            return cursor;
        }
        long last = Math.min(length, covered);
        long place = presences.nthBehind(cursor, missing, last);
        return place == 0 ? last : place;
    }

    // ---- who is present

    /** Present until then at least. */
    void seen(long place, long until, @Nullable GateId gate) {
        presences.seen(place, until, gate);
    }

    /** Gone, if this gate is the one that reported the visitor last. */
    void left(long place, GateId gate) {
        presences.left(place, gate);
    }

    void gone(long place) {
        presences.remove(place);
    }

    void expire(long now) {
        presences.expire(now);
    }

    int present() {
        return presences.count();
    }

    /** Present visitors with lower places, counted up to {@code most}. */
    int before(long place, int most) {
        return presences.before(place, most);
    }

    /** Called visitors who are present. */
    int atDoor() {
        return presences.upTo(cursor);
    }

    /** How many are ahead of the next place, with those at the door as of the last tenth of a second. */
    long ahead(long now) {
        if (now - doorCountedAt >= DOOR_COUNTED_EVERY) {
            doorCountedAt = now;
            doorLately = atDoor();
        }
        return length - cursor + Math.min(presences.count(), doorLately);
    }

    /** Notes whether visitors wait; says whether that is new. */
    boolean noteCrowd() {
        boolean before = crowded;
        crowded = presences.count() > 0;
        return crowded != before;
    }
}
