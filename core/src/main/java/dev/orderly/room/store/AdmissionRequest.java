package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * A request to admit a visitor with a ticket. It also reports the visitor as present.
 *
 * @param presentUntil end of the visitor's presence without a further sign
 * @param passUntil end of the pass
 * @param kind the way of admission
 */
public record AdmissionRequest(VisitorId visitor, long epoch, long place, Instant presentUntil, Instant passUntil,
        Kind kind) {
    /** The way of admission. */
    public enum Kind {
        /** The visitor's own request, whose answer carries the pass. Uses up the ticket. */
        TAKEN,
        /**
         * A request of the gate for a connected visitor. The pass ends early unless it is taken, and its end leaves the
         * ticket good.
         */
        UNTAKEN,
        /** An admission by the gate while the store was out of reach: it is recorded, whatever the limits say. */
        RECORDED
    }
}
