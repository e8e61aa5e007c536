package dev.orderly.room;

import dev.orderly.room.LivePasses.Live;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many admissions a room may still give: by its limits, against the passes that live and the admissions of the rate's
 * period, and by what an operator granted. Not thread-safe.
 */
final class Allowance {
    final LivePasses live = new LivePasses();
    private final RateWindow window = new RateWindow();
    private Limits limits = Limits.CLOSED;
    private int granted;

    /** Begins with what was kept of a room. */
    void restore(int grantedBefore, Map<Instant, Integer> admissions) {
        granted = grantedBefore;
        new TreeMap<>(admissions).forEach((at, count) -> window.add(at.toEpochMilli(), count));
    }

    Limits limits() {
        return limits;
    }

    void keepTo(Limits value) {
        limits = value;
        window.keepTo(value.rate());
    }

    int granted() {
        return granted;
    }

    void grant(int visitors) {
        granted = (int) Math.min(Integer.MAX_VALUE, (long) granted + visitors);
    }

    /** Spends one that an operator granted. */
    void spendGrant() {
        granted--;
    }

    /** Counts an admission towards the rate. */
    void count(long now) {
        window.add(now, 1);
    }

    /** A new epoch: admissions of the old one count towards the rate all the same. */
    void beginAnew() {
        granted = 0;
        live.clear();
    }

    /** All that could be given now. */
    int free(RoomMode mode, long now) {
        return (int) Math.min(capacityLeft(), (long) regular(mode, now) + admits(mode));
    }

    /** Without those an operator granted. */
    int regular(RoomMode mode, long now) {
        return mode.calls() ? Math.min(capacityLeft(), window.free(now)) : 0;
    }

    /** Those an operator granted. */
    int admits(RoomMode mode) {
        return mode.admits() ? granted : 0;
    }

    /** Whether this visitor's pass may live again: its place inside is still kept, or another one is free. */
    boolean canRevive(VisitorId visitor) {
        boolean within = limits.capacity() == null || live.count() <= limits.capacity();
        return (within && live.keepsFor(visitor)) || capacityLeft() >= 1;
    }

    private int capacityLeft() {
        return limits.mostPasses().map(most -> Math.max(0, most - live.count())).orElse(Integer.MAX_VALUE);
    }

    static Live passOf(Claim claim) {
        return new Live(claim.visitor(), claim.place(), 0, false);
    }
}
