package dev.orderly.job;

/** What came of asking to cancel a job. */
public enum CancelResult {
    /** It will not run: it was waiting, delayed or dead, and is cancelled now. */
    CANCELLED,
    /** It is running: its node is told at its beats until the attempt ends, and the attempt's own ending counts. */
    SIGNALLED,
    /** It had ended before. */
    ENDED,
    /** No such job, or no longer kept. */
    UNKNOWN
}
