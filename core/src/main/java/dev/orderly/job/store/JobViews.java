package dev.orderly.job.store;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobView;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Read-only port of a store of jobs, for pages, APIs and tests. Reads do not block pushes and claims, and may be a
 * moment behind. Thread-safe, blocking.
 */
public interface JobViews {
    /** The largest number that {@link #ahead} counts to. */
    int AHEAD_MAX = 10_000;

    /** The job with this id; empty if the store does not keep it any more, or never did. */
    Optional<JobView> find(JobId id);

    /**
     * The ended attempts that are kept with a job, oldest first, at most {@link JobAttempt#KEPT_MAX}. An attempt by
     * which the job became done or cancelled is not among them: {@link AttemptSnapshot#of} adds it. A redrive keeps
     * them. Empty for a job that is not kept.
     */
    List<JobAttempt> attempts(JobId id);

    /**
     * The steps that are kept with a job, in the order in which they were kept, at most
     * {@link dev.orderly.job.JobStep#STEPS_MAX}. None that was kept before this call is missing. Empty for a job that
     * is not kept.
     */
    List<JobStep> steps(JobId id);

    /**
     * The events that have come for a job, and those that it awaits or has awaited, by name. None that came before this
     * call is missing. Empty for a job that is not kept.
     */
    List<JobEvent> events(JobId id);

    /**
     * A page of the jobs of one queue in one state, by id: oldest first, done and cancelled jobs newest first.
     *
     * @param after the last id of the page before, null for the first page
     * @param limit 1 to 1,000
     */
    List<JobView> list(QueueName queue, JobState state, @Nullable JobId after, int limit);

    /**
     * The number of jobs before a waiting job. Standard queue: waiting jobs of a higher class, and earlier waiting jobs
     * of its own class, all without a key, or with its key. FIFO queue: earlier jobs of its group that are not settled
     * for good, whether waiting, delayed or running.
     *
     * @param limit 1 to {@value #AHEAD_MAX}; counting stops at this number
     * @return zero also for a job that is not waiting, or not kept
     */
    int ahead(JobId id, int limit);

    /**
     * The job that a job of a FIFO queue waits for: the dead letter that halts its group, or else the first job of its
     * group that is not settled for good. Empty if that is the job itself, and for a job that is not waiting, not kept,
     * or on a standard queue.
     */
    Optional<JobId> blocker(JobId id);

    /**
     * The open transaction of an application that holds the group of a waiting or delayed job, so that none of its jobs
     * is claimed, as a text that names it for an operator and says what ends it. Empty if there is none, and in stores
     * that share no transaction with applications.
     */
    default Optional<String> holder(JobId id) {
        return Optional.empty();
    }

    /**
     * As {@link #holder}, the open transaction that holds a batch, so that it is not closed, or not finished. Of
     * several that push members at the same time none is named.
     *
     * @param batch the number of the batch
     */
    default Optional<String> batchHolder(long batch) {
        return Optional.empty();
    }

    /**
     * The nodes that may run jobs of a queue, as their last heartbeats said, and that were not declared dead since. A
     * node of a version that does not say so counts.
     */
    Set<NodeId> workers(QueueName queue);

    /**
     * All queues that hold or held a job, or are or were paused, by name; not those that were
     * {@linkplain JobStore#forget forgotten} since. A store may list a queue into which a push was refused.
     */
    List<QueueView> queues();

    /** The limits that some queue has, or each key of it, by name. */
    List<LimitView> limits();

    /**
     * Keys of a queue with their use: those whose oldest waiting job waits for longest first, then those of which no
     * job waits. Looks at some thousand keys at most, of which more may wait for longer. A key without jobs is among
     * them if it has {@link KeyView#settings}. Of a FIFO queue: the groups that have settings, and those with jobs of
     * which tokens count.
     *
     * @param key the only key or group to look at; null for all
     * @param limit 1 to 1,000
     */
    List<KeyView> keys(QueueName queue, @Nullable String key, int limit);

    /**
     * The keys of all queues in numbers, without queues that have none, by name. The cost is bounded, however many keys
     * there are.
     */
    List<KeyCounts> keyCounts();

    /**
     * The numbers of waiting and delayed jobs of keys of a queue, or groups of a FIFO queue, each counted up to a
     * limit. Keys without such jobs are left out.
     *
     * @param keys 1 or more
     * @param limit 1 or more
     */
    Map<String, Integer> pending(QueueName queue, Set<String> keys, int limit);
}
