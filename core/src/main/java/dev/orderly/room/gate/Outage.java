package dev.orderly.room.gate;

import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
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
 * Whether a gate reaches its store, and what the gate may do while it does not: passes go on as far as the gate's lease
 * covers them, and visitors enter at the last rate as far as the gate can answer for it. Thread-safe.
 */
final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

    private final RoomName room;
    private final Time time;
    private final boolean alone;
    /** The last one the store has confirmed; null if no other process can reach the store. */
    private volatile @Nullable GateLease lease;
    private volatile StoreReachability reach = StoreReachability.ALWAYS;
    private volatile OutageAdmission coasting;
    private long epoch;

    /**
     * @param first the state with which the gate began
     * @param lease reported with it; null if no other process can reach the store
     */
    Outage(RoomState first, @Nullable GateLease lease, Time time) {
        this.room = first.room();
        this.time = time;
        this.alone = lease == null;
        this.lease = lease;
        this.epoch = first.epoch();
        this.coasting = new OutageAdmission(first, time.now(), alone);
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
     * A call was not answered.
     *
     * @param perhapsAdmitted visitors whom the call may have let in, if its outcome is unknown
     */
    void begin(StoreException cause, int perhapsAdmitted) {
        if (cause instanceof StoreException.OutcomeUnknown) {
            coasting.admitted(perhapsAdmitted, time.now());
        }
        if (!isOn()) {
            LOG.warn("Room {}: the store is out of reach ({}). {}", room, cause.getMessage(), alone
                    ? "Passes stay good; the last rate goes on for a minute"
                    : "Passes stay good, at least for a minute; nobody new enters");
            reach = StoreReachability.lost(time.now(), lease);
        }
    }

    void end() {
        LOG.info("Room {}: the store is back", room);
        reach = reach.found(time.now());
    }

    /**
     * The lease to report. Until {@link #granted} the store may have this one or the one before, so that only what both
     * allow counts. The first report after an outage repeats the old lease: what it allowed ends with the answer, and
     * only then may the store forget it.
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

    /** The store has answered the report of this lease. */
    void granted(GateLease reported) {
        lease = alone ? null : reported;
    }

    /** The store said how the room stands. Called by one thread. */
    void heard(RoomState state) {
        if (state.epoch() != epoch) {
            epoch = state.epoch();
            coasting = new OutageAdmission(state, time.now(), alone);
        }
        coasting.stands(state);
    }

    /** The store let in a new visitor. */
    void joined() {
        coasting.admitted(1, time.now());
    }

    /** The store let in the visitor of this claim, or confirmed that the visitor is in. */
    void entered(AdmissionRequest claim) {
        coasting.entered(claim, time.now());
    }

    /** Visitors the gate may let in now. */
    int budget(Instant now) {
        return coasting.budget(reach.since(), now);
    }

    /** Lets a visitor in if the budget has an admission beyond {@code before}; to be recorded after the outage. */
    boolean letIn(AdmissionRequest claim, int before, Instant now) {
        return coasting.letIn(claim, before, reach.since(), now);
    }

    /** Visitors let in that the store does not know of. */
    List<AdmissionRequest> unrecorded() {
        return coasting.unrecorded();
    }

    void recorded(List<AdmissionRequest> claims) {
        coasting.recorded(claims);
    }
}
