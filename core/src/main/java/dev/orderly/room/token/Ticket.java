package dev.orderly.room.token;

import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * A place in a room's line, as the signed token says it.
 *
 * @param epoch of the line; a ticket of an older one is void
 * @param place from 1; in order of arrival
 * @param ahead how many stood before this place when it was issued: where the progress bar begins
 * @param issuedAt to the second
 * @param expiresAt to the second; from then on the ticket counts as none
 */
public record Ticket(RoomName room, VisitorId visitor, long epoch, long place, long ahead, Instant issuedAt,
        Instant expiresAt) {}
