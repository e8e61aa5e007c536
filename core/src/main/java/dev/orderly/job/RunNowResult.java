package dev.orderly.job;

/** The result of a request to run a job now. */
public enum RunNowResult {
    /** The job was delayed, and is due now. */
    DUE,
    /** Nothing changed: the job waits already, runs, or has ended. */
    NOT_DELAYED,
    /** The store has no such job, or keeps it no longer. */
    UNKNOWN
}
