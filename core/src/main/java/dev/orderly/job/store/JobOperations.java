package dev.orderly.job.store;

import dev.orderly.job.CancelResult;
import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;
import java.time.Instant;
import java.util.List;

/** The part of {@link JobStore} for requests of operators. */
public interface JobOperations {
    /** Stops or resumes claims from a queue, on all nodes, durably. Pushes go on. */
    void pause(QueueName queue, boolean paused);

    /**
     * Returns named dead letters to waiting, oldest first, with failures and crashes reset, at their old position: on a
     * FIFO queue first in their group, from where a halted group continues.
     *
     * @param ids the dead letters to redrive, other ids are ignored; for none nothing is redriven
     * @param limit largest number to redrive; jobs of a group that a foreign transaction holds are left out
     * @return number of jobs redriven
     */
    int redrive(QueueName queue, List<JobId> ids, int limit, Instant now);

    /** Returns all dead letters of a queue to waiting, at most {@code limit}. Otherwise as {@link #redrive}. */
    int redriveAll(QueueName queue, int limit, Instant now);

    /**
     * Cancels a job that does not run, or asks its node to cancel it. A leased job is to end at its worker's next
     * report; its lease ends after {@link JobStore#CANCEL_GRACE} at the latest. Cancelling the dead letter of a halted
     * group resumes the group.
     */
    CancelResult cancel(JobId id, Instant now);

    /**
     * Makes a delayed job due at once, at its position by push order; failures stay counted. On a FIFO queue this ends
     * the wait of a group for the retry of its first job. Priorities, groups and pauses count as before.
     */
    RunNowResult runNow(JobId id, Instant now);

    /** The result of a request to run a job now. */
    enum RunNowResult {
        /** The job was delayed, and is due now. */
        DUE,
        /** Nothing changed: the job waits already, runs, or has ended. */
        NOT_DELAYED,
        /** The store has no such job, or keeps it no longer. */
        UNKNOWN
    }
}
