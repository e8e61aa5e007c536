package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request for a new place, by a visitor without a ticket.
 *
 * @param visitor a new id
 * @param presentUntil end of the visitor's presence without a further sign
 * @param passUntil end of the pass if the visitor may enter at once; not after now for a visitor who only takes a place
 * @param leaf what the ticket adds to the root of a draw: its id and a nonce, 64 hexadecimal digits; null outside of a
 *     lobby with a draw. A visitor with a leaf does not enter, and does not count as present before the draw
 * @param tier the name of the visitor's tier; null for none. A tier without a line counts as none
 * @param invitation the invitation to the tier that is used with the place; null for none
 * @param user the user of a room in which a user has one place; null in other rooms
 */
public record JoinRequest(VisitorId visitor, Instant presentUntil, Instant passUntil, @Nullable String leaf,
        @Nullable String tier, @Nullable InvitationUse invitation, @Nullable UserJoin user) {
    /** What a ticket adds to the root of a draw if its gate does not know of the draw. */
    public static final String NO_LEAF = "0".repeat(64);

    /** A request for a place in a room whose users may have several. */
    public JoinRequest(VisitorId visitor, Instant presentUntil, Instant passUntil, @Nullable String leaf,
            @Nullable String tier, @Nullable InvitationUse invitation) {
        this(visitor, presentUntil, passUntil, leaf, tier, invitation, null);
    }

    /** A request for a place without an invitation. */
    public JoinRequest(VisitorId visitor, Instant presentUntil, Instant passUntil, @Nullable String leaf,
            @Nullable String tier) {
        this(visitor, presentUntil, passUntil, leaf, tier, null, null);
    }

    /** A request for a place in the first line. */
    public JoinRequest(VisitorId visitor, Instant presentUntil, Instant passUntil, @Nullable String leaf) {
        this(visitor, presentUntil, passUntil, leaf, null, null, null);
    }

    /** A request for a place without a draw. */
    public JoinRequest(VisitorId visitor, Instant presentUntil, Instant passUntil) {
        this(visitor, presentUntil, passUntil, null, null, null, null);
    }
}
