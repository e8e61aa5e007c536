package dev.orderly.room.gate;

import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.forecast.WaitEstimate.Cause;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.GateLease;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a gate reaches its store, and the gate's powers while it does not: passes continue as far as the gate's lease
 * covers them, and visitors enter at the last rate within the outage budget. Thread-safe.
 */
final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

    private final RoomName room;
    private final Time time;
    private final boolean alone;
    /** The lease last confirmed by the store; null if no other process can reach the store. */
    private volatile @Nullable GateLease lease;
    private volatile StoreReachability reach = StoreReachability.ALWAYS;
    private volatile OutageAdmission admission;
    private long epoch;

    /**
     * @param first the state with which the gate began
     * @param lease the lease reported with it; null if no other process can reach the store
     */
    Outage(RoomState first, @Nullable GateLease lease, Time time) {
        this.room = first.room();
        this.time = time;
        this.alone = lease == null;
        this.lease = lease;
        this.epoch = first.epoch();
        this.admission = new OutageAdmission(first, time.now(), alone);
    }

    /** Whether the store did not answer the last call. */
    boolean isOn() {
        return reach.away();
    }

    /** Whether no other process can reach the store. */
    boolean isAlone() {
        return alone;
    }

    StoreReachability reach() {
        return reach;
    }

    /**
     * Records a call that was not answered.
     *
     * @param perhapsAdmitted visitors whom the call may have admitted if its outcome is unknown
     */
    void begin(StoreException cause, int perhapsAdmitted) {
        if (cause instanceof StoreException.OutcomeUnknown) {
            admission.admitted(perhapsAdmitted, time.now());
        }
        if (!isOn()) {
            LOG.warn("Room {}: the store is out of reach ({}). {}", room, cause.getMessage(), alone
                    ? "Passes stay good; the last rate goes on for a minute"
                    : "Passes stay good, at least for a minute; no new visitor enters");
            reach = StoreReachability.lost(time.now(), lease);
        }
    }

    void end() {
        LOG.info("Room {}: the store is back", room);
        reach = reach.found(time.now());
    }

    /**
     * The lease to report. Until {@link #granted}, the store may hold this lease or the previous one, so that only
     * passes that both allow continue. The first report after an outage repeats the old lease: its effect ends with the
     * answer, and only then may the store forget it.
     */
    GateLease renewedLease() {
        GateLease before = lease;
        if (before == null) {
            return GateLease.NONE;
        }
        GateLease next = isOn() ? before : GateLease.taken(time.now());
        lease = new GateLease(next.from(), before.until());
        return next;
    }

    /** Records that the store has answered the report of this lease. */
    void granted(GateLease reported) {
        lease = alone ? null : reported;
    }

    /** Takes over a state from the store. Called by one thread. */
    void update(RoomState state) {
        if (state.epoch() != epoch) {
            epoch = state.epoch();
            admission = new OutageAdmission(state, time.now(), alone);
        }
        admission.update(state);
    }

    /** Counts a new visitor whom the store admitted on joining. */
    void joined() {
        admission.admitted(1, time.now());
    }

    /** Counts a visitor whom the store admitted, or confirmed as admitted. */
    void entered(AdmissionRequest request) {
        admission.entered(request, time.now());
    }

    /** The estimate with the outage as its cause while there is one. */
    WaitEstimate explain(WaitEstimate estimate, Instant now) {
        if (!isOn()) {
            return estimate;
        }
        return estimate.because(admission.isOpen(reach.since(), now) ? Cause.STORE_TROUBLE : Cause.STORE_PAUSED);
    }

    /** Visitors whom the gate may admit now. */
    int budget(Instant now) {
        return admission.budget(reach.since(), now);
    }

    /** Admits a visitor if the budget exceeds {@code before}; the store records it after the outage. */
    boolean admit(AdmissionRequest request, int before, Instant now) {
        return admission.admit(request, before, reach.since(), now);
    }

    /** Admissions of this gate that the store has not recorded yet. */
    List<AdmissionRequest> unrecorded() {
        return admission.unrecorded();
    }

    void recorded(List<AdmissionRequest> requests) {
        admission.recorded(requests);
    }
}
