package dev.orderly.room.token;

import dev.orderly.Internal;
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
 * @param entry what the ticket is in a draw; null for a ticket that was not issued in the lobby of one
 * @param shared whether a further device of a user got it, who had the place
 */
@Internal(to = "dev.orderly")
public record Ticket(RoomName room, VisitorId visitor, long epoch, long place, long ahead, Instant issuedAt,
        Instant expiresAt, @Nullable Told told, @Nullable Entry entry, boolean shared) {
    /** A ticket that does not say what its visitor was told. */
    public Ticket(RoomName room, VisitorId visitor, long epoch, long place, long ahead, Instant issuedAt,
            Instant expiresAt) {
        this(room, visitor, epoch, place, ahead, issuedAt, expiresAt, null, null, false);
    }

    /** A ticket that was not issued in the lobby of a draw. */
    public Ticket(RoomName room, VisitorId visitor, long epoch, long place, long ahead, Instant issuedAt,
            Instant expiresAt, @Nullable Told told) {
        this(room, visitor, epoch, place, ahead, issuedAt, expiresAt, told, null, false);
    }

    /**
     * A ticket in a draw.
     *
     * @param issued the number of the ticket: its place before the draw
     * @param ticket the visitor to whom it was issued, before it was moved to another device
     * @param nonce 32 hexadecimal digits; empty for a gate that did not know of the draw
     * @param browser whether the nonce is the browser's, rather than the gate's
     * @param drawn whether the place of the ticket is the drawn one
     */
    public record Entry(long issued, VisitorId ticket, String nonce, boolean browser, boolean drawn) {}

    /** The number that was issued: the place, unless a draw has given another. */
    public long issued() {
        return entry == null ? place : entry.issued;
    }

    /** Whether the place is the one of a draw. */
    public boolean isDrawn() {
        return entry != null && entry.drawn;
    }

    /** This ticket with a nonce for a draw. */
    public Ticket withNonce(String nonce, boolean browser) {
        return with(new Entry(issued(), entry == null ? visitor : entry.ticket, nonce, browser, isDrawn()), place);
    }

    /** This ticket with the place that a draw has given it. */
    public Ticket drawn(long drawnPlace) {
        return with(entry == null
                ? new Entry(place, visitor, "", false, true)
                : new Entry(entry.issued, entry.ticket, entry.nonce, entry.browser, true), drawnPlace);
    }

    /** This ticket for another device. */
    public Ticket movedTo(VisitorId heir) {
        return new Ticket(room, heir, epoch, place, ahead, issuedAt, expiresAt, null, entry, shared);
    }

    private Ticket with(Entry value, long newPlace) {
        return new Ticket(room, visitor, epoch, newPlace, ahead, issuedAt, expiresAt, told, value, shared);
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
        return new Ticket(room, visitor, epoch, place, ahead, issuedAt, expiresAt, value, entry, shared);
    }
}
