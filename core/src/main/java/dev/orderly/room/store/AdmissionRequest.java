package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * A visitor with a ticket who asks to be let in, and by that stands at the door.
 *
 * @param presentUntil how long the visitor counts as present without being heard of again
 * @param passUntil when the pass ends
 * @param kind whether the visitor is there to take the pass
 */
public record AdmissionRequest(VisitorId visitor, long epoch, long place, Instant presentUntil, Instant passUntil,
        Kind kind) {
    /** Who asks. */
    public enum Kind {
        /** The visitor's own request, whose answer is the pass. The ticket is used up. */
        TAKEN,
        /** The gate, for a visitor who is connected; unless the pass is taken, its end leaves the ticket good. */
        KEPT,
        /** The gate let the visitor in while the store was out of reach: it is recorded, whatever the limits say. */
        LET_IN
    }
}
