package dev.orderly.room.store;

import java.time.Instant;
import java.util.List;

/**
 * A report of a gate on the visitors who wait at it.
 *
 * @param epoch the epoch of the places; reports on another epoch than the store's are ignored, their lease excepted
 * @param drawn the draws that the gate knows, as {@link dev.orderly.room.DrawLedger#drawn}. Presences and
 *     {@code covered} of a report with another number are ignored too, since places may have changed
 * @param covered the gate has reported every visitor present at it with a place up to this one, and reports further
 *     ones as soon as it knows of them. Places behind the lowest covered place of all gates are not called
 * @param presences changes since the last report
 * @param lease the gate's lease if it does not reach the store from now on; replaces the previous lease
 * @param tiers as {@code covered}, for the lines of tiers by number from 1; of further lines nothing is covered
 */
public record GateReport(GateId gate, long epoch, int drawn, long covered, List<Presence> presences, GateLease lease,
        List<Long> tiers) {
    /** A report of a gate of a room without tiers. */
    public GateReport(GateId gate, long epoch, int drawn, long covered, List<Presence> presences, GateLease lease) {
        this(gate, epoch, drawn, covered, presences, lease, List.of());
    }

    /** A report of a gate of a room without draws. */
    public GateReport(GateId gate, long epoch, long covered, List<Presence> presences, GateLease lease) {
        this(gate, epoch, 0, covered, presences, lease);
    }

    /** A report of a gate that continues no pass beyond its end. */
    public GateReport(GateId gate, long epoch, long covered, List<Presence> presences) {
        this(gate, epoch, covered, presences, GateLease.NONE);
    }

    public GateReport {
        presences = List.copyOf(presences);
        tiers = List.copyOf(tiers);
    }

    /**
     * The presence of a visitor at this gate.
     *
     * @param until end of the presence; in the past for a visitor who left
     */
    public record Presence(long place, Instant until) {}
}
