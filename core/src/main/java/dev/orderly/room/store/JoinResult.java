package dev.orderly.room.store;

import java.time.Instant;

/** What became of a {@link JoinRequest}. */
public sealed interface JoinResult {
    /** Of the line the place is in. */
    long epoch();

    /** The place taken; from 1. */
    long place();

    /**
     * The visitor waits.
     *
     * @param ahead places not yet called before this one, and called visitors who stand at the door
     */
    record Placed(long epoch, long place, long ahead) implements JoinResult {}

    /** The visitor is in: an admission was free beside those kept for everybody present who waits. */
    record Entered(long epoch, long place, Instant until) implements JoinResult {}
}
