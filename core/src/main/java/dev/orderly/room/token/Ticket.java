package dev.orderly.room.token;

import dev.orderly.room.RoomName;
import dev.orderly.room.VisitorId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A place in a room's line, as carried by a signed token.
 *
 * @param epoch epoch of the line; a ticket of an older epoch is void
 * @param place from 1; in order of arrival
 * @param ahead visitors ahead when the place was issued: the start of the progress bar
 * @param issuedAt in whole seconds
 * @param expiresAt in whole seconds; from then on the ticket is void
 * @param told what the visitor was told last, whichever gate answers next; null where one gate answers all
 */
public record Ticket(RoomName room, VisitorId visitor, long epoch, long place, long ahead, Instant issuedAt,
        Instant expiresAt, @Nullable Told told) {
    /** A ticket that does not say what its visitor was told. */
    public Ticket(RoomName room, VisitorId visitor, long epoch, long place, long ahead, Instant issuedAt,
            Instant expiresAt) {
        this(room, visitor, epoch, place, ahead, issuedAt, expiresAt, null);
    }

    /**
     * What a visitor was told.
     *
     * @param end end of the range of the wait, in whole seconds
     * @param ahead the number of visitors ahead
     */
    public record Told(Instant end, long ahead) {}

    /** This ticket after its visitor was told something else. */
    public Ticket withTold(Told value) {
        return new Ticket(room, visitor, epoch, place, ahead, issuedAt, expiresAt, value);
    }
}
