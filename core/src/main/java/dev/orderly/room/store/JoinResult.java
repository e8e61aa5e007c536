package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationRefusal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The result of a {@link JoinRequest}. */
public sealed interface JoinResult {
    /** The epoch of the place. */
    long epoch();

    /** The place taken, from 1; 0 if none was. */
    long place();

    /**
     * The visitor waits.
     *
     * @param ahead places not yet called before this one, plus present visitors at the door
     */
    record Placed(long epoch, long place, long ahead) implements JoinResult {}

    /**
     * The visitor is admitted: an admission was free beyond those reserved for present visitors who wait.
     *
     * @param until when the pass ends, unless it is taken
     */
    record Entered(long epoch, long place, Instant until) implements JoinResult {}

    /**
     * The user has a place, on another device or by a request that was repeated. Nothing changed, also where an
     * invitation was shown that does not name this place as the former one: the store does not know which place a draw
     * has given it.
     *
     * @param visitor who has the place
     * @param ahead as when it was issued
     * @param until end of its ticket
     */
    record Shared(long epoch, long place, VisitorId visitor, long ahead, Instant until) implements JoinResult {}

    /**
     * The invitation gives no place, and nothing changed. A visitor who repeats a request gets the place of the first
     * one instead.
     *
     * @param why null if it may give one later: the tier has no line yet, the gate does not know yet that a lobby began
     *     or was drawn, or the room remembers as many uses and moves as {@link MoveRequest#MOST}
     */
    record Uninvited(long epoch, @Nullable InvitationRefusal why) implements JoinResult {
        @Override
        public long place() {
            return 0;
        }
    }
}
