package dev.orderly.http.api;

import dev.orderly.http.openapi.Doc;
import dev.orderly.room.invitation.IssuedInvitations;
import java.time.Instant;
import java.util.List;

/** Invitations that were issued. */
@Doc(name = "Invitations")
record InvitationJson(String room, String tier,
        @Doc(value = "Its id, by which all of them are counted and revoked.",
                facets = "pattern: '^[0-9a-f]{12}$'") String series,
        @Doc("The epoch of the room, whose end is theirs.") long epoch, Instant expires,
        @Doc("A code each: secrets, of which each takes a place.") List<String> codes) {
    static InvitationJson of(String room, IssuedInvitations issued) {
        return new InvitationJson(room, issued.tier(), issued.series(), issued.epoch(), issued.until(),
                issued.codes());
    }

    /** What became of a series. */
    @Doc(name = "InvitationSeries")
    record Series(String room, String series, @Doc("How many gave a place.") int used,
            @Doc("Whether an operator revoked the others.") boolean revoked) {}
}
