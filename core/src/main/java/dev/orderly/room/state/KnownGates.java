package dev.orderly.room.state;

import dev.orderly.room.Tiers;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The gates that reported lately, the place up to which each has reported present visitors, and the lease of each. Not
 * thread-safe.
 */
final class KnownGates {
    /** A gate counts until this many governor steps have passed without a report from it. */
    private static final int ROUNDS = 10;
    /** Placeholder for the gates whose leases the store has lost. */
    private static final GateId FORGOTTEN = new GateId("forgotten");

    private final Map<GateId, Gate> gates = new HashMap<>();
    /** Kept by gate until they end, even if the gate no longer counts. */
    private final Map<GateId, GateLease> leases = new HashMap<>();
    /** Last result of {@link #leasedFrom}, and the end of the earliest lease in it. */
    private Instant from = Instant.MAX;
    private Instant fromValidUntil = Instant.MAX;
    private long rounds;

    /** @param tiers what it covers of the lines of tiers, by number from 1 */
    private record Gate(long covered, List<Long> tiers, long round) {
        long covered(int line) {
            return line == 0 ? covered : line <= tiers.size() ? tiers.get(line - 1) : Tiers.start(line);
        }
    }

    int count() {
        return gates.size();
    }

    void report(GateId gate, long covered, List<Long> tiers, GateLease lease) {
        gates.put(gate, new Gate(covered, tiers, rounds));
        leases.put(gate, lease);
        fromValidUntil = Instant.MIN;
    }

    /** Counts a governor step; a gate that was silent for too many steps no longer holds up the line. */
    void round() {
        rounds++;
        gates.values().removeIf(gate -> rounds - gate.round() > ROUNDS);
    }

    /** The place of a line up to which all gates have reported present visitors; the line's start without gates. */
    long covered(int line) {
        return gates.values().stream().mapToLong(gate -> gate.covered(line)).min().orElse(Tiers.start(line));
    }

    /** Passes that end after this moment may continue at a gate that is out of reach; far in the future if none may. */
    Instant leasedFrom(Instant now) {
        if (!fromValidUntil.isAfter(now)) {
            leases.values().removeIf(lease -> !lease.until().isAfter(now));
            from = leases.values().stream().map(GateLease::from).min(Instant::compareTo).orElse(Instant.MAX);
            fromValidUntil = leases.values().stream().map(GateLease::until).min(Instant::compareTo).orElse(Instant.MAX);
        }
        return from;
    }

    /** Records that earlier leases are unknown: any gate may hold one. */
    void leasesUnknown(Instant now) {
        leases.put(FORGOTTEN, new GateLease(Instant.EPOCH, now.plus(GateLease.LONGEST)));
        fromValidUntil = Instant.MIN;
    }

    /** Forgets the reported places, which belong to an earlier epoch. */
    void resetCovered() {
        gates.replaceAll((_, gate) -> new Gate(0, List.of(), gate.round()));
    }
}
