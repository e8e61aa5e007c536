package dev.orderly.room.store;

import dev.orderly.room.VisitorId;
import java.time.Instant;

/**
 * A request to give the place of a waiting visitor to another visitor id, that of another device.
 *
 * @param visitor the visitor of the ticket; all tokens of this id are void afterwards
 * @param to a new id
 * @param voidUntil when all tokens of {@code visitor} have expired
 */
public record MoveRequest(VisitorId visitor, long epoch, long place, VisitorId to, Instant voidUntil) {
    /** The largest number of moves that a room remembers. Further moves are refused until tokens expire. */
    public static final int MOST = 10_000;
}
