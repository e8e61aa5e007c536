package dev.orderly.job.engine;

import dev.orderly.Registration;
import dev.orderly.job.AwaitResult;
import dev.orderly.job.CancelResult;
import dev.orderly.job.EventResult;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.Job;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobQueue;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobView;
import dev.orderly.job.Push;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.QueuePosition;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.Throttled;
import dev.orderly.job.payload.PayloadCheck;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.LimitView;
import dev.orderly.store.StoreException;
import dev.orderly.user.UserScope;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What an application asks of jobs, and what it does with them: the view of {@link dev.orderly.Orderly#jobs}.
 * Thread-safe.
 *
 * <p>A call blocks until the store has answered, and throws {@link StoreException} if the store cannot answer. The
 * calls that answer from memory say so. What a call has changed is durable when the call returns.
 */
public interface Jobs {
    /** A job as the store knows it now; empty for a job that is not kept. */
    Optional<JobView> find(JobId id);

    /**
     * A page of the jobs of one queue in one state, by id: oldest first, done and cancelled jobs newest first.
     *
     * @param after the last id of the page before, null for the first page
     * @param limit 1 to 1,000
     */
    List<JobView> list(QueueName queue, JobState state, @Nullable JobId after, int limit);

    /**
     * The result that the handler of a done job set.
     *
     * @return empty if the job is not done, has set none, or is not kept
     * @throws dev.orderly.job.payload.UnreadablePayloadException if the result cannot be read as the type
     */
    <T> Optional<T> result(JobId id, Class<T> type);

    /**
     * Waits for the end of a job, wherever it runs. An end on this node is noticed at once, one on another node within
     * a second: a wait costs the store a look a second. Blocks the calling thread, platform or virtual.
     *
     * @param timeout the longest wait; zero or less for a single look
     * @return the end of the job, or {@link AwaitResult.Pending} after the timeout
     * @throws InterruptedException if the thread is interrupted; the job goes on
     * @throws dev.orderly.job.payload.UnreadablePayloadException if the result cannot be read as the type
     */
    <T> AwaitResult<T> await(JobId id, Class<T> type, Duration timeout) throws InterruptedException;

    /**
     * The position of a waiting job; empty in other states, and for a job that is not kept. The estimate uses the rate
     * that this node measured, for queues that it works on.
     */
    Optional<QueuePosition> position(JobId id);

    /**
     * The known attempts of a job, oldest first: those that have ended, at most {@link JobAttempt#KEPT_MAX}, and the
     * one under way. Empty for a job that is not kept.
     */
    List<JobAttempt> attempts(JobId id);

    /** The steps that are kept with a job, in the order in which they were kept. Empty for a job that is not kept. */
    List<JobStep> steps(JobId id);

    /**
     * The events that have come for a job, and those that it awaits or has awaited, by name. None that came before this
     * call is missing. Empty for a job that is not kept.
     */
    List<JobEvent> events(JobId id);

    /**
     * Adds a callback for jobs that change on this node, called when views show it; it must not block or throw. It is
     * called until the registration is closed; a call under way goes on.
     */
    Registration onChange(Consumer<JobId> listener);

    /** This node's wall clock. */
    Instant now();

    // ---- pushing

    /** Stores one job. As {@link #pushAll}. */
    PushResult push(PushRequest request);

    /**
     * Stores jobs atomically, in list order; the results have the same order. A request without a user gets the user of
     * the {@link UserScope}.
     *
     * @param requests at most {@value Push#BULK_MAX}; for none the answer is empty
     * @throws PushRefusedException if any request breaks a rule of its queue; the message names its position in the
     *     list; nothing was stored
     */
    List<PushResult> pushAll(List<PushRequest> requests);

    /**
     * The request for a push of a payload, to be changed or pushed later.
     *
     * @throws PushRefusedException if Jackson cannot write the payload
     */
    <T> PushRequest request(JobQueue<T> queue, T payload);

    /**
     * Makes nodes claim jobs of a queue now, instead of at their next poll: for a caller that knows the commit of a
     * transaction that pushed into it. A hint costs one claim and may be given at any time; never blocks.
     */
    void hint(JobQueue<?> queue);

    // ---- events

    /**
     * Sends an event to a job, whose handler asks for it by {@link Job#await}; before it asks, or while the job waits,
     * which is due at once then. The first event of a name counts. Durable when this returns.
     *
     * @param name as that of a step
     * @param value anything Jackson can write, text or bytes, at most {@link JobStep#VALUE_MAX} bytes
     * @throws IllegalArgumentException if the name breaks its rule, or the value is too large or cannot be written
     */
    EventResult event(JobId id, String name, Object value);

    /**
     * The link of an event that a job awaits until a moment, as {@link Job#eventUrl}; empty if no server is known that
     * takes it.
     */
    Optional<URI> eventUrl(JobId id, String name, Instant until);

    // ---- operating jobs

    /**
     * Cancels a job that has not begun, or asks its holder to end it. Durable, whichever the answer: unless its handler
     * completes it, the job ends as cancelled, also after the death of a process, and its group goes on. A job that
     * this node holds is kept from beginning, or signalled, at once; other nodes hear of it by a message. A leased job
     * is to end at its worker's next report. Cancelling the dead letter of a halted group resumes the group.
     *
     * @return what is known of its handler
     */
    CancelResult cancel(JobId id);

    /**
     * Makes a delayed job due at once, at its position by push order; failures stay counted. On a FIFO queue this ends
     * the wait of a group for the retry of its first job. Priorities, groups and pauses count as before.
     */
    RunNowResult runNow(JobId id);

    /**
     * Returns named dead letters to waiting, oldest first, with failures and crashes reset, at their old position: on a
     * FIFO queue first in their group, from where a halted group continues.
     *
     * @param ids the dead letters to redrive, other ids are ignored; for none nothing is redriven
     * @param limit largest number to redrive; jobs of a group that an open transaction holds are left out
     * @return number of jobs redriven
     */
    int redrive(QueueName queue, List<JobId> ids, int limit);

    /** Returns all dead letters of a queue to waiting, at most {@code limit}. Otherwise as {@link #redrive}. */
    int redriveAll(QueueName queue, int limit);

    // ---- reports of workers elsewhere

    /**
     * Reports the outcome of an attempt for its worker, from any node: of a job that {@link Job#detach} left running,
     * or that was claimed for a worker elsewhere. The caller has authorised the worker; the attempt number is the
     * fence.
     *
     * @return {@link SettleResult#LEASE_LOST} if the attempt is over; {@link SettleResult#CANCELLED} to a report that
     *     asks for a lease, if the job is to be cancelled
     */
    SettleResult report(AttemptId attempt, AttemptOutcome outcome);

    /**
     * Reports a failure of an attempt for its worker. The queue's retry policy decides about the retry, the defaults if
     * the queue is not declared here. Otherwise as {@link #report}.
     *
     * @param retryIn delay before the retry; null for the policy's
     * @param dead whether the job becomes a dead letter at once
     */
    SettleResult reportFailure(AttemptId attempt, JobFailure failure, @Nullable Duration retryIn,
            boolean dead);

    /**
     * Reports that an attempt was throttled, for its worker, as a handler does that throws {@link Throttled}: the key
     * of the job rests, or the limit of its queue, or the job alone, and no failure is counted; after
     * {@value Throttled#ROW_MAX} in a row the job is a dead letter. Otherwise as {@link #report}.
     */
    SettleResult reportThrottled(AttemptId attempt, Throttled throttled);

    /** Reports progress of an attempt for its worker. As {@link #report}. */
    SettleResult reportProgress(AttemptId attempt, JobProgress progress);

    // ---- queues

    /** The queues that are declared on this node or hold jobs, by name. */
    List<QueueStatus> queues();

    /** The settings of a queue declared on this node; empty for other names. Answers from memory, without blocking. */
    Optional<QueueOptions> options(QueueName queue);

    /**
     * Stops or resumes starts of a queue's jobs on all nodes, durably; pushes and jobs that run go on. This node starts
     * none from the return on, others as soon as a message, or their next claim or heartbeat (5 s), tells them.
     */
    void pause(QueueName queue, boolean paused);

    /**
     * Removes a queue that is gone from all lists, with its pause and the settings of operators; after a failure it may
     * be repeated. Its ended jobs, its history and its keys stay for as long as they are kept anyway. Refused for a
     * queue that is declared on this node.
     *
     * @return {@link ForgetQueueResult.InUse} with what stands in the way and the remedy, for a queue that holds jobs
     *     or that a live node declares
     */
    ForgetQueueResult forget(QueueName queue);

    /** A check whether the present types read the payloads of the declared queues. */
    PayloadCheck payloads();

    // ---- limits and keys

    /** The limits over all nodes that some queue has, with their use, by name. */
    List<LimitView> limits();

    /**
     * Keys of a queue with their use, those whose oldest waiting job waits for longest first. Looks at some thousand
     * keys at most, of which more may wait for longer.
     *
     * @param limit 1 to 1,000
     */
    List<KeyView> keys(QueueName queue, int limit);

    /**
     * A key of a standard queue, or a group of a FIFO queue, with its use and its settings; of a group without settings
     * no use is known.
     *
     * @throws IllegalArgumentException if the name is none of a key or group
     */
    KeyView key(QueueName queue, String key);

    /**
     * Changes what is set for a key of a standard queue, or a group of a FIFO queue: whether it is paused, and the
     * bounds of a key in place of those that each key has. Durable, on all nodes from their next claim on; what is
     * claimed already goes on, and pushes are accepted.
     *
     * @param change gives the new settings from those in the store; called again if another caller was faster
     * @param by the identity behind the change
     * @throws IllegalArgumentException if the name is none of a key or group, if the identity is no stored text, if a
     *     group gets bounds, or if {@link KeySettings#MOST} others have settings; the message says which
     * @throws StoreException if the store fails, or an open transaction holds a group that would go on
     */
    KeySettings setKey(QueueName queue, String key, UnaryOperator<KeySettings> change, String by);
}
