package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * A request for a new place, by a visitor without a ticket.
 *
 * @param visitor a new id
 * @param presentUntil end of the visitor's presence without a further sign
 * @param passUntil end of the pass if the visitor may enter at once; not after now for a visitor who only takes a place
 */
public record JoinRequest(VisitorId visitor, Instant presentUntil, Instant passUntil) {}
