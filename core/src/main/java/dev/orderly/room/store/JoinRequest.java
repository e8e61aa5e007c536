package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * A visitor who takes a place.
 *
 * @param visitor new
 * @param presentUntil how long the visitor counts as present without being heard of again
 * @param passUntil when the pass ends if the visitor may enter at once and is not heard of again; not after now for one who
 *     only takes a place
 */
public record JoinRequest(VisitorId visitor, Instant presentUntil, Instant passUntil) {}
