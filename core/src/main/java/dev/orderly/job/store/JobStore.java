package dev.orderly.job.store;

import dev.orderly.job.CancelResult;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRequest.IdempotencyKey;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where jobs are kept: the port every store implements. Each sentence below is a test in the contract of the testkit.
 *
 * <p>All methods are thread-safe, block the caller until the store has answered, take whole batches, and take the time
 * from their caller; a store never reads a clock to decide anything about a job. Who is alive is another matter: the store
 * stamps beats and judges them by one clock, its own, so that no node's clock can declare anybody dead. Every method
 * throws {@link
 * StoreException.Unavailable} when nothing was done and {@link StoreException.OutcomeUnknown} when it cannot tell.
 * Answers stand in the order of the questions.
 *
 * <p>Not guaranteed: the order in which the batches of concurrent callers apply, and fairness between queues.
 */
public interface JobStore {
    /**
     * A store that puts the calls of concurrent callers into one transaction by itself. Each push comes straight from its
     * caller, since a batch in front of the store would only make it wait twice. No transaction of someone else blocks a
     * push, and an interrupt does not take it back.
     */
    interface GroupCommit extends JobStore {}

    /** How long a {@link DedupeKey} is remembered from the first accepted push, whatever became of the job. */
    Duration DEDUPE_WINDOW = Duration.ofMinutes(5);

    /** How long an {@link IdempotencyKey} is remembered. */
    Duration IDEMPOTENCY_WINDOW = Duration.ofHours(24);

    /** The most jobs of one group that a claim hands out together. */
    int GROUP_RUN = 10;

    /**
     * Stores jobs. Returns when every accepted job is durable: it survives the death of this process and, unless the
     * store says otherwise, a power failure. The batch is atomic, applied in list order, which is also the push order
     * inside a group; sequence numbers grow with commit order. A job whose dedupe key or idempotency key is remembered
     * is answered with the first job's id, and a key counts from its own batch on. A key whose window has passed
     * starts a new one. The idempotency key is asked first; a push answered as a duplicate by its dedupe key leaves its
     * idempotency key remembered too, for the same first job.
     *
     * @param jobs 1 or more
     * @throws StoreException.Blocked if a transaction of someone else holds a group or a key of some of the jobs; stores
     *     wait for it a moment only, since other jobs stand behind
     */
    List<PushResult> push(List<NewJob> jobs, Instant now);

    /**
     * Hands due jobs to a node that beats; one that never did, or not since it was declared dead, gets none. Each goes
     * to one node only and stays with it until it is settled or the node is declared dead; the claim itself need not be
     * durable. Every claim of a job has a higher attempt number than the one before, across restarts too.
     *
     * <p>Standard queue: by {@link Priority#turn turns} of the classes, then by push order, approximately: a job that
     * was delayed or given back may come before or after its neighbours. FIFO queue: a job is handed out only when all
     * jobs of its group pushed before it are settled for good or handed out before it in the same answer. A group is
     * with one node at a time: while any of its jobs is held, nothing else of it is handed out. Groups take turns.
     * The payloads of a claim's jobs have no more bytes together than {@link ClaimRequest#bytes}, unless it is one job.
     * Nothing is handed out of a paused queue, of a group whose head waits for its retry, or of a halted group, and
     * none of these slows the others.
     */
    ClaimedJobs claim(ClaimRequest request, Instant now);

    /**
     * Records how attempts ended. Returns when the accepted ones are durable. An attempt that is no longer the newest
     * claim of its job, or whose node is not the one that holds it, changes nothing and gets {@link
     * SettleResult#LEASE_LOST}; so a repeated report does no harm.
     *
     * <p>Reports of jobs that a transaction of someone else holds get {@link SettleResult#BLOCKED} after a moment; the
     * others of the batch are taken.
     *
     * <p>When a job of a group is retried, snoozed, given back or halts its group, jobs of the group that were handed
     * out behind it stay with the node, which gives them back as well; the group goes on from its first unsettled job.
     */
    List<SettleResult> settle(List<Settlement> settlements, Instant now);

    /**
     * Keeps the last progress of running attempts, fenced as {@link #settle} is. Need not be durable, and waits for no
     * other transaction.
     */
    List<SettleResult> progress(List<ProgressReport> reports, Instant now);

    /**
     * Gives back, uncounted, whatever a node holds besides the jobs named: claims whose answer was lost on its way, or
     * everything when a node stops. An attempt that is given back cannot be settled any more. Left out is what a
     * transaction of someone else holds.
     *
     * @return how many were given back
     */
    int release(NodeId node, Set<JobId> except, Instant now);

    /**
     * Says that a node lives, and hears what it must know. The first beat makes the node known. A node that was declared
     * dead and beats again has not crashed: the crash that was counted for its jobs is taken back, at the latest by the
     * next upkeep.
     */
    Heartbeat beat(NodeId node);

    /**
     * Gives back the jobs of nodes that stopped beating (also of a process that died before this store was opened),
     * turns poison jobs into dead letters, and forgets what has been kept long enough. Any node may do it at any time;
     * two at once do no harm. What a transaction of someone else holds is left to a later round.
     *
     * <p>{@link NodeLiveness} says who is dead: nobody while all were silent, and for some seconds afterwards.
     *
     * <p>A crash counts as no failure, and only for a job that may have run: not for one handed out behind another of its
     * group that was not settled yet. A job whose crashes reach the limit becomes a dead letter only by a crash at which
     * it was the only job of its node that may have run; whoever ran beside it is a suspect, however often, and no more.
     *
     * <p>What a queue does at a dead letter is the queue's, whoever does the round: the last round that named the queue
     * in {@link UpkeepRequest#onDead} counts, durably.
     */
    UpkeepReport upkeep(UpkeepRequest request, Instant now);

    /** Stops or resumes handing out jobs of a queue, on all nodes, durably. Pushes go on. */
    void pause(QueueName queue, boolean paused);

    /**
     * Makes dead letters wait again, oldest first, with their failures and crashes forgotten, in their old place: on a
     * FIFO queue at the head of their group, which a halted group goes on from.
     *
     * @param ids the dead letters meant, others are passed over; empty for all of the queue
     * @param limit the most to redrive; jobs of a group that a transaction of someone else holds are left out
     * @return how many were redriven
     */
    int redrive(QueueName queue, List<JobId> ids, int limit, Instant now);

    /** Cancels a job that has not started, or asks its node to. Cancelling the dead letter of a halted group frees it. */
    CancelResult cancel(JobId id, Instant now);

    /**
     * The answer to a node's heartbeat.
     *
     * @param alive false if the node was declared dead since its last beat: its jobs were given to others and it must stop
     *     running them; it is alive again from now on, with nothing claimed
     * @param cancelled jobs this node runs whose cancellation was asked for; repeated at each beat until settled
     */
    record Heartbeat(boolean alive, Set<JobId> cancelled) {
        public Heartbeat {
            cancelled = Set.copyOf(cancelled);
        }
    }

    /** Whether the store took a report about an attempt. */
    enum SettleResult {
        /** Taken; durable where it changes what is durable. */
        ACCEPTED,
        /** Refused, nothing changed: the attempt is not the job's newest, or its node was declared dead. */
        LEASE_LOST,
        /** Not taken yet, nothing changed: a transaction of someone else holds the job or its group. Report it again. */
        BLOCKED
    }

    /** Progress of a running attempt, for the store to keep. */
    record ProgressReport(NodeId node, AttemptId attempt, JobProgress progress) {}

    /**
     * What a round of upkeep did.
     *
     * @param givenBack jobs of dead nodes that wait again
     * @param poisoned jobs of dead nodes that became dead letters because their crashes reached the limit
     * @param pruned ended jobs and expired keys that were forgotten
     * @param mended groups that stood otherwise than their jobs and were set right: more than 0 means a fault of the store
     * @param more whether a limit was reached, so that another round should follow soon
     */
    record UpkeepReport(List<JobId> givenBack, List<JobId> poisoned, int pruned, int mended, boolean more) {
        public UpkeepReport {
            givenBack = List.copyOf(givenBack);
            poisoned = List.copyOf(poisoned);
        }

        /** Of a round in which nothing had to be set right. */
        public UpkeepReport(List<JobId> givenBack, List<JobId> poisoned, int pruned, boolean more) {
            this(givenBack, poisoned, pruned, 0, more);
        }

        public UpkeepReport withMended(int groups) {
            return new UpkeepReport(givenBack, poisoned, pruned, groups, more);
        }
    }

    /**
     * The answer to a claim.
     *
     * @param jobs jobs of one group stand in their order; the node runs them one after the other
     * @param nextDue the earliest moment at which a delayed job of an asked queue becomes due, null if none
     *     is delayed; a hint, may be early, but never in the past: a paused queue and jobs that could not be handed out have no
     *     such moment
     * @param paused those of the asked queues that are paused, so that a node need not ask again at each push
     */
    record ClaimedJobs(List<ClaimedJob> jobs, @Nullable Instant nextDue, Set<QueueName> paused) {
        public ClaimedJobs {
            jobs = List.copyOf(jobs);
            paused = Set.copyOf(paused);
        }
    }
}
