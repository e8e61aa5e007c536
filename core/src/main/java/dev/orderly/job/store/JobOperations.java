package dev.orderly.job.store;

import dev.orderly.job.CancelResult;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;
import dev.orderly.job.RunNowResult;
import java.time.Instant;
import java.util.List;

/** The part of {@link JobStore} for requests of operators. */
public interface JobOperations {
    /** Stops or resumes claims from a queue, on all nodes, durably. Pushes go on. */
    void pause(QueueName queue, boolean paused);

    /**
     * Returns named dead letters to waiting, oldest first, with failures and crashes reset, at their old position: on a
     * FIFO queue first in their group, from where a halted group continues. The position counts for claims: later jobs
     * of the group that a node holds already start before it.
     *
     * @param ids the dead letters to redrive, other ids are ignored; for none nothing is redriven
     * @param limit largest number to redrive; jobs of a group that a foreign transaction holds are left out
     * @return number of jobs redriven
     */
    int redrive(QueueName queue, List<JobId> ids, int limit, Instant now);

    /** Returns all dead letters of a queue to waiting, at most {@code limit}. Otherwise as {@link #redrive}. */
    int redriveAll(QueueName queue, int limit, Instant now);

    /**
     * Cancels a job that nobody holds, or asks its holder to end it. Durable, whichever the answer: of a job that is
     * held, every outcome but done ends it as cancelled ({@link AttemptOutcome#whenCancelling}), and so do the release,
     * the leaving and the death of its node and the end of its lease, also after the death of the process; its group
     * goes on. A leased job is to end at its worker's next report; its lease ends after {@link JobStore#CANCEL_GRACE}
     * at the latest. Cancelling the dead letter of a halted group resumes the group.
     *
     * @return {@link CancelResult#REQUESTED} for a job that is held; never {@link CancelResult#SIGNALLED}, since a
     *     store does not know which handlers have begun
     */
    CancelResult cancel(JobId id, Instant now);

    /**
     * Makes a delayed job due at once, at its position by push order; failures stay counted. On a FIFO queue this ends
     * the wait of a group for the retry of its first job. Priorities, groups and pauses count as before.
     */
    RunNowResult runNow(JobId id, Instant now);

    /**
     * Forgets a queue that is gone: its pause and its declaration of {@link UpkeepRequest#onDead} end, and
     * {@link JobViews#queues} does not list it any more. Its ended jobs stay until their retention is over, and its
     * keys until their windows are. Refused while it holds other jobs, dead letters among them, or while a live node
     * works on it or has declared it.
     *
     * <p>Nothing that is pushed is lost: a push that comes at the same time or later makes the queue exist again. It is
     * listed while it holds jobs that have not ended, and from its next pause or declaration by a node on for good.
     */
    ForgetQueueResult forget(QueueName queue);
}
