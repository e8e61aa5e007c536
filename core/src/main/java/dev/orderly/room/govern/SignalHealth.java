package dev.orderly.room.govern;

/** The freshness of an external signal of a room. */
public enum SignalHealth {
    /** The signal answers, or there is no signal. */
    FRESH,
    /** The signal failed or is late; its last value counts. */
    HELD,
    /** The signal has failed for so long that it is ignored. */
    LOST
}
