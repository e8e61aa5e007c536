package dev.orderly.job;

/** What the rest of a group does when one of its jobs becomes a dead letter. */
public enum OnDead {
    /** Goes on with the next job. */
    CONTINUE,
    /** Stops until the dead letter is redriven or cancelled. */
    HALT
}
