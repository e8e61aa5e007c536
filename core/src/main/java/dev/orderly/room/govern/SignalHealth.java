package dev.orderly.room.govern;

/** How well a room knows what slows it from outside. */
public enum SignalHealth {
    /** It answers, or there is none. */
    FRESH,
    /** It failed, or is late; what it said last counts. */
    HELD,
    /** It has failed for so long that it counts as none. */
    LOST
}
