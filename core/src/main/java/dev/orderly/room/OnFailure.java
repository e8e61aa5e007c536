package dev.orderly.room;

/** The visitors who may enter without a pass once the store has been out of reach for a minute. */
public enum OnFailure {
    /** No new visitors. */
    CLOSED,
    /** All visitors. */
    OPEN
}
