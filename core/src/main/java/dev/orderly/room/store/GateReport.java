package dev.orderly.room.store;

import java.time.Instant;
import java.util.List;

/**
 * What a gate says of the visitors who wait at it.
 *
 * @param epoch the line the places are of; a report about another one is not heeded
 * @param covered the gate has told of every visitor present at it with a place up to this one, and tells of every
 *     further one as soon as it knows. Nobody behind the least covered place is called
 * @param presences what changed since the last report
 * @param lease what the gate may do if it does not reach the store from now on; replaces the one before
 */
public record GateReport(GateId gate, long epoch, long covered, List<Presence> presences, GateLease lease) {
    /** Of a gate that lets no pass go on beyond its end. */
    public GateReport(GateId gate, long epoch, long covered, List<Presence> presences) {
        this(gate, epoch, covered, presences, GateLease.NONE);
    }

    public GateReport {
        presences = List.copyOf(presences);
    }

    /**
     * A visitor at this gate.
     *
     * @param until present until then; in the past for one who is gone
     */
    public record Presence(long place, Instant until) {}
}
