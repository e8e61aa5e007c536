package dev.orderly.room.token;

import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * A place in a room's line, as carried by a signed token.
 *
 * @param epoch epoch of the line; a ticket of an older epoch is void
 * @param place from 1; in order of arrival
 * @param ahead visitors ahead when the place was issued: the start of the progress bar
 * @param issuedAt in whole seconds
 * @param expiresAt in whole seconds; from then on the ticket is void
 */
public record Ticket(RoomName room, VisitorId visitor, long epoch, long place, long ahead, Instant issuedAt,
        Instant expiresAt) {}
