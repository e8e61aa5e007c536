package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationId;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The use of an invitation, as part of a {@link JoinRequest} to its tier: one commit uses it, gives the place and ends
 * the former one, or does nothing.
 *
 * @param epoch of the invitation, and of the former place
 * @param until end of the invitation
 * @param former the visitor's place in another line; null for none
 */
public record InvitationUse(InvitationId invitation, long epoch, Instant until, @Nullable Former former) {
    public InvitationUse {
        Objects.requireNonNull(invitation, "invitation");
        Objects.requireNonNull(until, "until");
    }

    /**
     * A place that its visitor has. One that is void, given back or used up counts as none.
     *
     * @param place in a lobby with a draw the number of the ticket, which is another visitor's place after the draw
     * @param lobby end of a ticket that waits for a draw, until which its visitor is void; null for any other
     */
    public record Former(VisitorId visitor, long place, @Nullable Instant lobby) {
        /** A place that no draw decides about. */
        public Former(VisitorId visitor, long place) {
            this(visitor, place, null);
        }
    }

    /**
     * What a store keeps as the visitor who has the place of a used invitation: half of the id that asked, and the
     * place, so that a repeated request gets the same answer.
     */
    public static VisitorId kept(VisitorId visitor, long place) {
        return new VisitorId(visitor.high(), place);
    }
}
