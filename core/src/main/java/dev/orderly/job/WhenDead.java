package dev.orderly.job;

/** What the dead letters among the members of a batch mean for its end. */
public enum WhenDead {
    /** A dead letter has ended: the callback sees it in the counts. */
    FINISH,
    /**
     * The batch waits until each dead letter was redriven or deleted, or is not kept any more. Once it is cancelled, a
     * dead letter has ended.
     */
    WAIT
}
