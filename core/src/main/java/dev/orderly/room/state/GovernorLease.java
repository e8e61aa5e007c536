package dev.orderly.room.state;

import dev.orderly.room.store.GateId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Which gate governs a room, and until when no other one does. Not thread-safe. */
final class GovernorLease {
    private @Nullable GateId holder;
    private Instant until = Instant.EPOCH;

    /** Takes or prolongs the lease; false if another gate holds it. */
    boolean take(GateId gate, Instant newUntil, Instant now) {
        if (holder != null && !holder.equals(gate) && until.isAfter(now)) {
            return false;
        }
        holder = gate;
        until = newUntil;
        return true;
    }
}
