package dev.orderly.room.state;

import dev.orderly.room.Limits;
import dev.orderly.room.RateWindow;
import dev.orderly.room.RoomMode;
import dev.orderly.room.VisitorId;
import dev.orderly.room.state.LivePasses.Live;
import dev.orderly.room.store.AdmissionRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How many admissions a room may still give: by its mode, by its limits, against the passes that live and the admissions
 * of the rate's period, and by what an operator granted. Not thread-safe.
 */
final class Allowance {
    /**
     * After a restart a room that had waiting visitors admits nobody for this long, so that gates can report who is present
     * before anyone is overtaken.
     */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    private final LivePasses live;
    private final RateWindow window = new RateWindow();
    private Limits limits = Limits.CLOSED;
    private RoomMode mode = RoomMode.AUTO;
    private int granted;
    private boolean settling;
    private @Nullable Instant settled;

    Allowance(LivePasses live) {
        this.live = live;
    }

    /** Begins with what was kept of a room. */
    void restore(RoomMode modeBefore, int grantedBefore, boolean crowded, Map<Instant, Integer> admissions) {
        mode = modeBefore;
        granted = grantedBefore;
        settling = crowded;
        new TreeMap<>(admissions).forEach((at, count) -> window.add(at.toEpochMilli(), count));
    }

    Limits limits() {
        return limits;
    }

    /** Limits of a governor's step; the first one begins to settle a restored room. */
    void keepTo(Limits value, Instant now) {
        limits = value;
        window.keepTo(value.rate());
        settled = settled == null ? now.plus(SETTLING) : settled;
        settling &= now.isBefore(settled);
    }

    RoomMode mode() {
        return mode;
    }

    void setMode(RoomMode value) {
        mode = value;
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
        settling = false;
    }

    /** All that could be given now. */
    int free(long now) {
        return settling ? 0 : (int) Math.min(capacityLeft(), (long) regular(now) + admits());
    }

    /** Without those an operator granted. */
    int regular(long now) {
        return mode.calls() ? Math.min(capacityLeft(), window.free(now)) : 0;
    }

    /** Those an operator granted. */
    int admits() {
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

    static Live passOf(AdmissionRequest claim) {
        return new Live(claim.visitor(), claim.place(), 0, false);
    }
}
