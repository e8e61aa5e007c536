package dev.orderly.room;

import java.time.Duration;

/** An observer of the visitors of this gate. Must neither block nor throw. Every method does nothing by default. */
public interface RoomObserver {
    /** Observes nothing. */
    RoomObserver NONE = new RoomObserver() {
    };

    /**
     * A visitor took a place and was given the first estimate of the wait.
     *
     * @param likely the middle of the range
     */
    default void announced(RoomName room, Duration likely) {}

    /**
     * A visitor entered.
     *
     * @param waited time since the visitor took the place
     */
    default void entered(RoomName room, Duration waited) {}
}
