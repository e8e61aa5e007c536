package dev.orderly.room.state;

import dev.orderly.room.store.StoredLine;

/**
 * What a line of a room with tiers has had of the admissions, by which its turn comes. Moments are milliseconds. Not
 * thread-safe.
 */
final class TierLedger {
    private String name;
    private int share;
    private long served;
    private long last;
    private long admitted;

    TierLedger(String name, int share) {
        this.name = name;
        this.share = share;
    }

    /** Takes over the stored state of a line. */
    TierLedger(StoredLine stored) {
        this(stored.name(), stored.share());
        served = stored.served();
        last = stored.last();
        admitted = stored.admitted();
    }

    StoredLine stored(long length, long cursor) {
        return new StoredLine(name, share, length, cursor, served, last, admitted);
    }

    String name() {
        return name;
    }

    int share() {
        return share;
    }

    void rename(String value) {
        name = value;
    }

    void setShare(int value) {
        share = value;
    }

    void beginEpoch() {
        served = 0;
        last = 0;
        admitted = 0;
    }

    private long cost() {
        return StoredLine.TURN / share;
    }

    void admitted(long now) {
        served += cost();
        last = now;
        admitted++;
    }

    /** Whether the line has admitted nobody for so long that its next visitor goes first. */
    boolean isDue(long now) {
        return now - last >= StoredLine.PATIENCE;
    }

    /** The turn of a visitor with this many visitors ahead at the door of the line: the lowest goes first. */
    long turn(int ahead) {
        return served + ahead * cost();
    }

    /** The last admission, by which lines go first that are due. */
    long last() {
        return last;
    }

    /**
     * How many of this many visitors at the door of the line go before a turn.
     *
     * @param ties whether those with the same turn do
     */
    long before(long turn, boolean ties, int door, long now) {
        long behind = turn - served + (ties ? 1 : 0);
        long count = behind <= 0 ? 0 : (behind + cost() - 1) / cost();
        return Math.min(door, Math.max(count, isDue(now) ? 1 : 0));
    }

    long served() {
        return served;
    }

    /** Counts what lines were served from this value on. The line owes one admission at most, and is owed none. */
    void settle(long least) {
        served = Math.clamp(served - least, 0, cost());
    }
}
