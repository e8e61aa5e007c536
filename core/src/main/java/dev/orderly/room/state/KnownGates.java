package dev.orderly.room.state;

import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * The gates that were heard of lately, up to where each has told who is present, and what each may do out of reach. Not
 * thread-safe.
 */
final class KnownGates {
    /** A gate counts until this many governor steps have passed without a word from it. */
    private static final int ROUNDS = 10;
    /** Stands for the gates that a store has forgotten. */
    private static final GateId FORGOTTEN = new GateId("forgotten");

    private final Map<GateId, Gate> all = new HashMap<>();
    /** A gate's lease outlives its silence. */
    private final Map<GateId, GateLease> leases = new HashMap<>();
    /** What {@link #letsGoOnFrom} said last, and when the next lease ends that it heeded. */
    private Instant goOnFrom = Instant.MAX;
    private Instant goOnUntil = Instant.MAX;
    private long rounds;

    private record Gate(long covered, long round) {}

    int count() {
        return all.size();
    }

    void heard(GateId gate, long covered, GateLease lease) {
        all.put(gate, new Gate(covered, rounds));
        leases.put(gate, lease);
        goOnUntil = Instant.MIN;
    }

    /** A step of the governor: who was silent for too many holds nobody up any more. */
    void round() {
        rounds++;
        all.values().removeIf(gate -> rounds - gate.round() > ROUNDS);
    }

    /** Up to where all of them have told who is present; 0 as long as there is none. */
    long covered() {
        return all.values().stream().mapToLong(Gate::covered).min().orElse(0);
    }

    /** Passes that end after this may go on at a gate that is out of reach; far in the future if none may. */
    Instant letsGoOnFrom(Instant now) {
        if (!goOnUntil.isAfter(now)) {
            leases.values().removeIf(lease -> !lease.until().isAfter(now));
            goOnFrom = leases.values().stream().map(GateLease::from).min(Instant::compareTo).orElse(Instant.MAX);
            goOnUntil = leases.values().stream().map(GateLease::until).min(Instant::compareTo).orElse(Instant.MAX);
        }
        return goOnFrom;
    }

    /** The leases there were are not known any more: there may be any. */
    void leasesUnknown(Instant now) {
        leases.put(FORGOTTEN, new GateLease(Instant.EPOCH, now.plus(GateLease.LONGEST)));
        goOnUntil = Instant.MIN;
    }

    /** What they told is about a line that is no more. */
    void forget() {
        all.replaceAll((_, gate) -> new Gate(0, gate.round()));
    }
}
