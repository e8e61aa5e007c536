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
 * The admissions that a room may still give: by its mode and limits, less live passes and the admissions of the rate's
 * period, plus the grants of an operator. Not thread-safe.
 */
final class Allowance {
    /**
     * After a restart a room that had waiting visitors admits no visitors for this long, so that gates can report
     * present visitors before any of them is overtaken.
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

    /** Takes over the stored state of a room. */
    void restore(RoomMode modeBefore, int grantedBefore, boolean crowded, Map<Instant, Integer> admissions) {
        mode = modeBefore;
        granted = grantedBefore;
        settling = crowded;
        new TreeMap<>(admissions).forEach((at, count) -> window.add(at.toEpochMilli(), count));
    }

    Limits limits() {
        return limits;
    }

    /** Applies the limits of a governor step; the first step starts the settling time of a restored room. */
    void apply(Limits value, Instant now) {
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

    /** Spends an admission granted by an operator. */
    void spendGrant() {
        granted--;
    }

    /** Counts an admission towards the rate. */
    void count(long now) {
        window.add(now, 1);
    }

    /** Begins an epoch; earlier admissions still count towards the rate. */
    void beginEpoch() {
        granted = 0;
        settling = false;
    }

    /** Admissions that could be given now. */
    int free(long now) {
        return settling ? 0 : (int) Math.min(capacityLeft(), (long) regular(now) + admits());
    }

    /** Admissions that could be given now without an operator's grants. */
    int regular(long now) {
        return mode.calls() ? Math.min(capacityLeft(), window.free(now)) : 0;
    }

    /** Admissions granted by an operator that the mode allows to be used. */
    int admits() {
        return mode.admits() ? granted : 0;
    }

    /** Whether the visitor's ended pass may be revived: its place inside is still kept, or another is free. */
    boolean canRevive(VisitorId visitor) {
        boolean within = limits.capacity() == null || live.count() <= limits.capacity();
        return (within && live.keepsFor(visitor)) || capacityLeft() >= 1;
    }

    private int capacityLeft() {
        return limits.mostPasses().map(most -> Math.max(0, most - live.count())).orElse(Integer.MAX_VALUE);
    }

    static Live passOf(AdmissionRequest request) {
        return new Live(request.visitor(), request.place(), 0, false);
    }
}
