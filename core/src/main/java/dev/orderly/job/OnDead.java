package dev.orderly.job;

/** The effect of a dead letter on the rest of its group. */
public enum OnDead {
    /** The group goes on with the next job. */
    CONTINUE,
    /** The group stops until the dead letter is redriven or cancelled. */
    HALT
}
