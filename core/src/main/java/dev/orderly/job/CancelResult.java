package dev.orderly.job;

/** What came of asking to cancel a job. */
public enum CancelResult {
    /** It will not run: it was waiting, delayed or dead, and is cancelled now. */
    CANCELLED,
    /** It is running: its node is told at its next beat, and the attempt's own ending still counts. */
    SIGNALLED,
    /** It had ended before. */
    ENDED,
    /** No such job, or no longer kept. */
    UNKNOWN
}
