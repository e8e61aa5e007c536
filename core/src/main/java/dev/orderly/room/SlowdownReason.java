package dev.orderly.room;

/** Why a room lets in fewer than its configured limits allow. */
public enum SlowdownReason {
    NO,
    /** The origin is slow or fails. */
    HEALTH,
    /** Work that visitors cause piles up. */
    BACKLOG
}
