package dev.orderly.job;

/** The answer to an event for a job. */
public enum EventResult {
    /** Kept. If the job waits for it, the job is due at once. */
    ACCEPTED,
    /** Nothing changed: an event of this name has come before, and counts. */
    REPEATED,
    /** Refused: the job has gone on without the event, since its wait for it was over. */
    LATE,
    /** Refused: the job has ended. */
    ENDED,
    /** Refused: the job does not exist, or is kept no more. */
    UNKNOWN,
    /**
     * Refused: the events of the job would be more than {@link JobStep#STEPS_MAX}, or have more than
     * {@link JobStep#BYTES_MAX} bytes.
     */
    FULL;

    /** Whether the event is kept, by this call or an earlier one. */
    public boolean isKept() {
        return this == ACCEPTED || this == REPEATED;
    }
}
