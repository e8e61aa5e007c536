package dev.orderly.room;

/** Who enters when the store has been out of reach for a minute. */
public enum OnFailure {
    /** Nobody new. */
    CLOSED,
    /** Everybody. */
    OPEN
}
