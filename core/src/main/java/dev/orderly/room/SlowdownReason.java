package dev.orderly.room;

/** The reason why a room admits fewer visitors than the limits set for it allow. */
public enum SlowdownReason {
    /** The room is not slowed. */
    NO,
    /** The origin is slow or fails. */
    HEALTH,
    /** Work that visitors cause piles up. */
    BACKLOG
}
