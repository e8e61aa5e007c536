package dev.orderly.room.store;

import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.VisitorId;
import java.time.Instant;
import java.util.Objects;

/**
 * What a store keeps of a user who has a place. The user has it until the visitor departs, the pass that was taken has
 * ended for good, or the ticket ends while there is no pass.
 *
 * @param visitor who has the place on all devices of the user; another one after {@link RoomStore#move}
 * @param place the place that was issued, before any draw; less than zero once ticket and pass have ended
 * @param ahead visitors ahead when it was issued
 * @param until end of the ticket; once ticket and pass have ended, when no pass may be revived any more
 * @param taken whether a pass was taken, which used up the ticket
 */
public record UserPlace(VisitorId visitor, long place, long ahead, Instant until, boolean taken) {
    public UserPlace {
        Objects.requireNonNull(visitor, "visitor");
        Objects.requireNonNull(until, "until");
    }

    /** This place after a pass was taken or revived. */
    public UserPlace afterEntry() {
        return isOver()
                ? new UserPlace(visitor, -place, ahead, until.minus(TokenLifetimes.REVIVABLE), true)
                : new UserPlace(visitor, place, ahead, until, true);
    }

    /** This place after its ticket and any pass have ended. It is kept, since the pass may be revived. */
    public UserPlace over(Instant now) {
        return new UserPlace(visitor, -place, ahead, now.plus(TokenLifetimes.REVIVABLE), true);
    }

    /** Whether ticket and pass have ended. */
    public boolean isOver() {
        return place < 0;
    }

    /** This place with another visitor id. */
    public UserPlace movedTo(VisitorId heir) {
        return new UserPlace(heir, place, ahead, until, taken);
    }
}
