package dev.orderly.room.state;

import dev.orderly.room.store.GateId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The lease of the gate that governs a room. Not thread-safe. */
final class GovernorLease {
    private @Nullable GateId holder;
    private Instant until = Instant.EPOCH;

    /** Takes or extends the lease; false if another gate holds it. */
    boolean take(GateId gate, Instant newUntil, Instant now) {
        if (holder != null && !holder.equals(gate) && until.isAfter(now)) {
            return false;
        }
        holder = gate;
        until = newUntil;
        return true;
    }
}
