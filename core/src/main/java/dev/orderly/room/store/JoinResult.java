package dev.orderly.room.store;

import java.time.Instant;

/** The result of a {@link JoinRequest}. */
public sealed interface JoinResult {
    /** The epoch of the place. */
    long epoch();

    /** The place taken; from 1. */
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
}
