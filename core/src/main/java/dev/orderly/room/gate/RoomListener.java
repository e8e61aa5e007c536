package dev.orderly.room.gate;

/** A visitor who is connected while waiting. Called by one thread at a time; must not block. */
public interface RoomListener {
    /** How the visitor stands; at most once a second, when something changed, and every 20 to 35 seconds. */
    void stands(LinePosition standing);

    /** The visitor may enter: the next request with the ticket gets the pass. The last call. */
    void turn();

    /** The ticket is worth nothing any more. The last call. */
    void ended();
}
