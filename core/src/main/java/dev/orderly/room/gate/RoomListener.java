package dev.orderly.room.gate;

import dev.orderly.Internal;

/**
 * The connection of a waiting visitor. Called by one thread at a time; must not block. A listener that throws is
 * removed.
 */
@Internal(to = "dev.orderly")
public interface RoomListener {
    /**
     * The visitor's position. Sent every 1 to 15 seconds while it changes, less often during a long wait, and every 20
     * to 35 seconds while it does not; a change of mode, message or reason is sent within a second.
     */
    void update(LinePosition position);

    /** The visitor may enter: the next request with the ticket gets the pass. This is the last call. */
    void turn();

    /** The ticket is void, used up or expired. This is the last call. */
    void ended();
}
