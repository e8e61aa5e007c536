package dev.orderly.job;

/** The result of a request to cancel a job. */
public enum CancelResult {
    /** The job was waiting, delayed or dead, and is cancelled now: it will not run. */
    CANCELLED,
    /**
     * The job is running. Each heartbeat tells its node until the attempt ends; the outcome that the attempt reports
     * counts.
     */
    SIGNALLED,
    /** The job had ended before. */
    ENDED,
    /** The store has no such job, or keeps it no longer. */
    UNKNOWN
}
