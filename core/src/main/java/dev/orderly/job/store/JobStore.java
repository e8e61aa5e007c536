package dev.orderly.job.store;

import dev.orderly.job.CancelResult;
import dev.orderly.job.DedupeKey;
import dev.orderly.job.EventResult;
import dev.orderly.job.ForgetQueueResult;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.NodeId;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRequest.IdempotencyKey;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Port of a store of jobs. Each sentence below is a test in the contract of the testkit.
 *
 * <p>All methods are thread-safe and block the caller until the store has answered. Methods about jobs take the time
 * from their caller: a store never reads a clock to decide about a job. Liveness is different: the store stamps
 * heartbeats and compares them by its own clock, so that no node's clock can declare a node dead. Every method throws
 * {@link StoreException.Unavailable} when nothing was done and {@link StoreException.OutcomeUnknown} when the outcome
 * cannot be known. Results have the order of the requests.
 *
 * <p>A <em>foreign transaction</em> is a transaction on the store's database that the store did not begin, such as
 * an application's own. Stores wait for its locks only a moment.
 *
 * <p>Not guaranteed: the order in which the calls of concurrent callers apply, and fairness between queues.
 */
public interface JobStore {
    /**
     * A store that combines the calls of concurrent callers into one transaction itself. The engine hands it each push
     * directly, since a group commit in front of the store would only add a second wait. No foreign transaction blocks
     * a push, and an interrupt does not undo it.
     */
    interface GroupCommit extends JobStore {}

    /**
     * The time for which a {@link DedupeKey} is kept from the first accepted push on, whatever the state of the job.
     * A key of a job with a {@link dev.orderly.job.JobTerms#dedupeFor} is kept for that time; it is another key than
     * the same of a job without.
     */
    Duration DEDUPE_WINDOW = Duration.ofMinutes(5);

    /** The longest {@link dev.orderly.job.JobTerms#dedupeFor}. */
    Duration DEDUPE_WINDOW_MAX = Duration.ofDays(7);

    /** The time for which an {@link IdempotencyKey} is kept. */
    Duration IDEMPOTENCY_WINDOW = Duration.ofHours(24);

    /** The largest number of jobs of one group that a claim hands out together. */
    int GROUP_RUN = 10;

    /** The longest time for which a leased job goes on after a request to cancel it. */
    Duration CANCEL_GRACE = Duration.ofSeconds(30);

    /**
     * Stores jobs. Returns when every accepted job is durable: it survives a crash of this process and, unless the
     * store documents otherwise, a power failure. The call is atomic and applied in list order, which is also the push
     * order inside a group; sequence numbers grow with commit order. A push whose dedupe key or idempotency key is kept
     * is answered with the first job's id; keys also apply inside their own call. A push whose dedupe key is kept
     * with another {@link NewJob#fingerprint} is refused ({@link PushResult.DedupeReused}), and leaves no key. A key
     * whose window has passed starts a new window. The idempotency key is checked first; a push that is a duplicate by
     * its dedupe key still records its idempotency key, for the same first job.
     *
     * <p><em>Unique:</em> a push with a {@link NewJob#unique} key is answered with the newest job of that key that
     * waits or is delayed, and stores nothing; a job that has expired does not count. A job that runs, leased or not,
     * has taken its input already: the push stores one next job, and further pushes are answered with that. So each
     * answer is a job of which an attempt has yet to start. Two jobs of a key may wait only after the first was
     * claimed: it was retried, snoozed, given back or redriven beside the next. Keys of unfinished jobs are known for
     * as long as the jobs are. The idempotency key is checked first; a push that is answered by its unique key records
     * it for that job. A job with a unique key has no dedupe key.
     *
     * <p><em>Debounce:</em> a push with a {@link dev.orderly.job.JobTerms#debounce} finds the newest job of its key in
     * the same way. If that job belongs to the same user, payload, content type, params and terms of the push replace
     * those of the job ({@link PushResult.Replaced}), and the job is due at the push's own moment, but no later than
     * {@link dev.orderly.job.JobTerms.Debounce#until}, and no earlier than it was due before; a job that was due stays
     * so if that moment is not in the future. All else of the job stays, its idempotency key is recorded, and whoever
     * claims the job from now on gets what the push said. If it belongs to another user, the push is refused
     * ({@link PushResult.DebounceReused}) and leaves nothing. In a call, later pushes replace earlier ones.
     *
     * <p><em>Batches:</em> a job whose {@link dev.orderly.job.JobTerms#batch} it is a member of is stored only if the
     * batch is open, or is closed and {@link NewJob#parent} is a running member of it; otherwise the whole call stores
     * nothing and is refused. A push that is answered with an earlier job makes that job no member.
     *
     * <p><em>Hand-off:</em> an accepted job with a {@link NewJob#claimer} is stored as claimed by that node, with
     * attempt 1, and its result says so; from then on it is as any claimed job. Not if the job is delayed, the queue is
     * paused or has a limit, or a claim of the node would get nothing; not if another job of the queue could be
     * claimed, which the hand-off would overtake; on a FIFO queue not if another job of its group is unsettled or halts
     * the group. The store sees neither pushes of concurrent callers nor, before the first claim of the queue, jobs in
     * its file, and may leave any job waiting.
     *
     * @param jobs 1 or more
     * @throws dev.orderly.job.PushRefusedException if a batch takes none of the jobs as members
     * @throws StoreException.Blocked if a foreign transaction holds a group or a key of some of the jobs; nothing was
     *     stored
     */
    List<PushResult> push(List<NewJob> jobs, Instant now);

    /**
     * Hands due jobs to a node that sends heartbeats. A node without a heartbeat, or without a heartbeat since it was
     * declared dead, gets none. Each job goes to one node only and stays with it until it is settled or the node is
     * declared dead; the claim itself need not be durable. Each claim of a job has a higher attempt number than the
     * claim before, across restarts too.
     *
     * <p>Standard queue: by {@link Priority#turn turns} of the classes, then by push order, approximately: a job that
     * was delayed or given back may come before or after its neighbours. FIFO queue: a job is handed out only when all
     * jobs of its group pushed before it are settled for good or handed out before it in the same answer. A group
     * belongs to one node at a time: while a node holds any of its jobs, nothing else of the group is handed out.
     * Groups take turns. The payloads of a claim have no more bytes together than {@link ClaimRequest#bytes}, unless
     * the claim is one job. Nothing is handed out of a paused queue, of a group whose first job waits for its retry, or
     * of a halted group, and none of these slows the others. The node gets no job of {@link ClaimRequest#passedOver},
     * and on a FIFO queue none behind such a job in its group; other jobs and groups go on, and other nodes may get
     * them.
     *
     * <p><em>Limits:</em> a queue may have a limit, by the last declaration in {@link UpkeepRequest#limits} that
     * counts. Of the jobs of all queues that share a limit, never more run than its concurrency allows, leased jobs and
     * those of dead nodes among them until they are settled or given back; and claims hand out so few that no span of
     * the period has more starts than its rate allows, provided that each job starts within {@link StartWindow#slack}
     * of its claim, by the store's clock. A job that is given back has used up its part of the rate. On a FIFO queue
     * with a limit, a claim hands out one job of a group. Queues without a limit, or with another one, go on.
     *
     * <p><em>Keys:</em> jobs of a standard queue may have a key in their {@link NewJob#terms}. Each key has the limit
     * that {@link DeclaredLimits#keys} gives the queue, counted as above. Jobs of a key are handed out by priority,
     * then by push order; jobs that wait for their key are left, and others go on, at a cost that does not depend on
     * how many wait. Keys take turns by the handler time that they use ({@link dev.orderly.job.limit.KeyTurns}): of
     * keys that always have jobs each is served as often, or as much more rarely as its jobs run longer by {@link
     * ClaimRequest.Demand#ran}; a new key is served before any other is served twice. Jobs
     * without a key come before them. None is handed off.
     */
    ClaimedJobs claim(ClaimRequest request, Instant now);

    /**
     * Records the outcomes of attempts. Returns when the accepted outcomes are durable. An attempt that is no longer
     * the newest claim of its job, or whose node does not hold the job, changes nothing and gets
     * {@link SettleResult#LEASE_LOST}; a repeated report is therefore harmless.
     *
     * <p>Reports of jobs that a foreign transaction holds get {@link SettleResult#BLOCKED} after a moment; the other
     * reports of the call are accepted.
     *
     * <p>A report without a node is the worker's own and is fenced by the attempt number alone: it is accepted while
     * the attempt is the newest and the job is running, whoever holds the job. {@link AttemptOutcome.Leased} makes the
     * job independent of all nodes; the store's clock stamps the end of the lease. A job that was asked to be cancelled
     * gets no lease and no longer one: the answer is {@link SettleResult#CANCELLED}.
     *
     * <p>{@link AttemptOutcome.Unread} counts as no failure, and keeps its reason with the attempt.
     *
     * <p>{@link AttemptOutcome.Throttle} counts as no failure. No claim hands out a job of the key of the job, or of
     * the limit of its queue, as {@link AttemptOutcome.Throttle#resting} says, until the rest is over, by the store's
     * clock; of several rests that which ends last counts. The job waits at its old place. Where neither rests, the job
     * is due again when the rest is over; on a FIFO queue its group waits with it.
     *
     * <p>{@link AttemptOutcome.Awaiting} counts as no failure. If one of its events has come, or its wait is over, the
     * job is due at once.
     *
     * <p>A job that was asked to be cancelled ends as {@link AttemptOutcome#whenCancelling} says; the report is
     * accepted.
     *
     * <p>When a job of a group is retried, snoozed, awaits events, is leased, given back or halts its group, later
     * jobs of the group that were handed out with it stay with the node, which gives them back as well; the
     * group continues from its first unsettled job.
     */
    List<SettleResult> settle(List<Settlement> settlements, Instant now);

    /**
     * Records the last progress of running attempts, fenced as {@link #settle} is. Need not be durable, and waits for
     * no foreign transaction.
     */
    List<SettleResult> progress(List<ProgressReport> reports, Instant now);

    /**
     * Keeps a step of a running attempt with its job, durably, fenced as {@link #settle} is: a stale attempt adds none.
     * The first report of a name counts; one that repeats it is answered as it was. Steps stay with the job over its
     * retries, leases and redrives and after its end. When the store keeps the job no more, no view shows them, and
     * {@link #upkeep} deletes them by and by.
     */
    StepResult keep(StepReport report, Instant now);

    /**
     * Asks for an event of the job of a running attempt, fenced as {@link #settle} is. The event is that which has
     * come; or else one whose wait is over, if its end is not in the future, which is durable from now on: it comes no
     * more; or else one that is awaited, until the moment of the first question for its name. Nothing of a stale
     * attempt is kept.
     */
    AwaitAnswer await(EventWait wait, Instant now);

    /**
     * Keeps an event for a job that has not ended, durably: the first of a name counts. If the job waits for it
     * ({@link AttemptOutcome.Awaiting}), the job is due at once, as by {@link #runNow}, in the same transaction. Events
     * and waits stay with the job as steps do.
     */
    EventResult event(NewEvent event, Instant now);

    /**
     * Gives back all jobs that a node holds, except the named jobs, and counts no failure: for claims whose answer was
     * lost. An attempt that is given back cannot be settled any more. Jobs that a foreign transaction holds are left
     * out.
     *
     * @return number of jobs given back
     */
    int release(NodeId node, Set<JobId> except, Instant now);

    /** The jobs that a node holds now, in its present life. Changes and locks nothing; may take seconds. */
    Set<JobId> held(NodeId node);

    /**
     * The last call of a node that stops: gives back all jobs that it holds, as {@link #release} does, and ends its
     * life. A claim or hand-off of the node that is still under way gets nothing, or the next round of upkeep gives its
     * jobs back; no crash is counted for them. The next heartbeat begins a new life, as after a death.
     *
     * @return number of jobs given back
     */
    int leave(NodeId node, Instant now);

    /**
     * Heartbeat of a node, with the answer that the node needs. The first heartbeat registers the node. A node that was
     * declared dead and sends a heartbeat has not crashed: the crash that was counted for its jobs is undone, at the
     * latest by the next upkeep.
     *
     * @param works the queues whose jobs this node may run from now on, for {@link JobViews#workers}
     */
    Heartbeat beat(NodeId node, Set<QueueName> works);

    /** A heartbeat of a node that works on no queue. */
    default Heartbeat beat(NodeId node) {
        return beat(node, Set.of());
    }

    /**
     * Gives back the jobs of dead nodes (also of a process that died before this store was opened), turns poison jobs
     * into dead letters, ends jobs that were asked to be cancelled and jobs that have expired, and prunes ended jobs
     * and keys whose retention is over. Any node may call it at any time, also concurrently. Jobs that a foreign
     * transaction holds are left to a later round.
     *
     * <p>{@link NodeLiveness} is the rule for dead nodes: no node is dead while all were silent, and for some seconds
     * afterwards. No lease is over in this time either.
     *
     * <p>A lease that is over, by the store's clock, ends its attempt: as cancelled if that was requested, else as a
     * failure by {@link UpkeepRequest.LeaseRules}. A report that comes before this round is still accepted.
     *
     * <p>A job that is not running ends as {@link AttemptOutcome.Cancelled#expired} from the moment
     * {@link dev.orderly.job.JobTerms#expiresAt} on; on a FIFO queue its group goes on. A claim before this round may
     * still hand it out: whoever claims it asks {@link ClaimedJob#terms} before it starts. A job that is redriven
     * expires no more.
     *
     * <p>A crash counts as no failure, and only for a job that may have run: not for a job that waited on its node for
     * an earlier, unsettled job of its group. Only the crashes at which it was the only job of its node that may have
     * run make it a dead letter, once they reach the limit; a job that ran beside others stays a suspect, however
     * often.
     *
     * <p>The effect of a dead letter on its group is a durable setting of the queue: the last declaration in
     * {@link UpkeepRequest#onDead} that {@link Declared#replaces} the one before it counts, whichever node calls.
     * Limits and the limits of queues are such settings too; tokens of a rate that were taken before count on.
     */
    UpkeepReport upkeep(UpkeepRequest request, Instant now);

    /** The port of the batches that jobs of this store belong to. */
    BatchStore batches();

    // ---- requests of operators

    /** Stops or resumes claims from a queue, on all nodes, durably. Pushes go on. */
    void pause(QueueName queue, boolean paused);

    /**
     * Changes what is set for a key of a standard queue, or a group of a FIFO queue, on all nodes, durably. The next
     * claims obey: none hands out a job of a paused key or group, and other bounds of a key count in place of those
     * that {@link DeclaredLimits#keys} gives the queue; tokens that were taken count on. What is claimed already goes
     * on, and pushes go on; none into a paused group is handed off. Neither slows the claims of others, however many
     * are paused.
     *
     * @param key a key; or a group, which has no bounds
     * @param expected the settings that the caller has seen; nothing changes if they are others
     * @throws StoreException.Unavailable also if a foreign transaction holds a group that would go on
     */
    SetResult set(QueueName queue, String key, KeySettings expected, KeySettings next);

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
     * goes on. A leased job is to end at its worker's next report; its lease ends after {@link #CANCEL_GRACE}
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
     * Forgets a queue that is gone: its pause, the settings of its keys and groups and its declaration of
     * {@link UpkeepRequest#onDead} end, and {@link JobViews#queues} does not list it any more. Its ended jobs stay
     * until their retention is over, and its keys until their windows are. Refused while it holds other jobs, dead
     * letters among them, or while a live node works on it or has declared it.
     *
     * <p>Nothing that is pushed is lost: a push that comes at the same time or later makes the queue exist again. It is
     * listed while it holds jobs that have not ended, and from its next pause or declaration by a node on for good.
     */
    ForgetQueueResult forget(QueueName queue);

    // ---- answers

    /**
     * The answer to a node's heartbeat.
     *
     * @param alive false if the node was declared dead, or has left, since its last heartbeat: its jobs were given back
     *     and it must stop running them; it is alive again from now on, with nothing claimed
     * @param cancelled jobs of this node with a request to cancel; repeated at each heartbeat until settled
     * @param paused the paused queues
     */
    record Heartbeat(boolean alive, Set<JobId> cancelled, Set<QueueName> paused) {
        public Heartbeat {
            cancelled = Set.copyOf(cancelled);
            paused = Set.copyOf(paused);
        }
    }

    /** The answer to {@link #set}. */
    enum SetResult {
        /** The new settings are stored. */
        SET,
        /** Refused, nothing changed: the settings are other than expected. */
        CHANGED_MEANWHILE,
        /** Refused, nothing changed: {@link KeySettings#MOST} other keys or groups of the queue have settings. */
        TOO_MANY
    }

    /** The answer to a report about an attempt. */
    enum SettleResult {
        /** Accepted; durable if the report must be durable. */
        ACCEPTED,
        /** Refused, nothing changed: the attempt is not the job's newest, or its node was declared dead. */
        LEASE_LOST,
        /** Refused, nothing changed: the job was asked to be cancelled, so that it gets no lease. */
        CANCELLED,
        /** Not accepted yet, nothing changed: a foreign transaction holds the job or its group. Report it again. */
        BLOCKED
    }

    /** The answer to {@link #keep}. */
    enum StepResult {
        /** Kept, now or before with the same value. */
        KEPT,
        /** Refused, nothing changed: the job has a step of this name with another value. */
        TAKEN,
        /**
         * Refused, nothing changed: the steps of the job would be more than {@link dev.orderly.job.JobStep#STEPS_MAX},
         * or have more than {@link dev.orderly.job.JobStep#BYTES_MAX} bytes.
         */
        FULL,
        /** As {@link SettleResult#LEASE_LOST}. */
        LEASE_LOST,
        /** Not accepted yet, nothing changed: a foreign transaction holds the job. Report it again. */
        BLOCKED
    }

    /**
     * Progress of a running attempt.
     *
     * @param node as in {@link Settlement}
     */
    record ProgressReport(@Nullable NodeId node, AttemptId attempt, JobProgress progress) {}

    /**
     * The result of a round of upkeep.
     *
     * @param givenBack jobs of dead nodes that are waiting again
     * @param poisoned jobs of dead nodes that became dead letters because their crashes reached the limit
     * @param cancelled jobs of dead nodes that ended as cancelled, as was requested before
     * @param timedOut jobs whose lease was over
     * @param expired jobs that ended since no attempt may start any more
     * @param pruned number of ended jobs and expired keys that were deleted
     * @param repaired number of groups whose state contradicted their jobs and was corrected; more than 0 means a fault
     *     of the store
     * @param more whether a limit was reached, so that another round should follow soon
     */
    record UpkeepReport(List<JobId> givenBack, List<JobId> poisoned, List<JobId> cancelled, List<JobId> timedOut,
            List<JobId> expired, int pruned, int repaired, boolean more) {
        public UpkeepReport {
            givenBack = List.copyOf(givenBack);
            poisoned = List.copyOf(poisoned);
            cancelled = List.copyOf(cancelled);
            timedOut = List.copyOf(timedOut);
            expired = List.copyOf(expired);
        }

        /** A report without cancelled jobs, ended leases, expired jobs and corrected groups. */
        public UpkeepReport(List<JobId> givenBack, List<JobId> poisoned, int pruned, boolean more) {
            this(givenBack, poisoned, List.of(), List.of(), List.of(), pruned, 0, more);
        }

    }

    /**
     * The answer to a claim.
     *
     * @param jobs claimed jobs; jobs of one group are adjacent and in their order, and the node runs them one after the
     *     other
     * @param nextDue earliest moment at which a delayed job of a requested queue becomes due, null if none is delayed.
     *     A hint: it may be early, but is never in the past; paused queues and jobs that could not be handed out do not
     *     count
     * @param paused requested queues that are paused, so that the node does not claim again at each push
     * @param limited requested queues of which more jobs might have been handed out without their limit, or without
     *     that of their keys
     */
    record ClaimedJobs(List<ClaimedJob> jobs, @Nullable Instant nextDue, Set<QueueName> paused,
            Set<QueueName> limited) {
        public ClaimedJobs {
            jobs = List.copyOf(jobs);
            paused = Set.copyOf(paused);
            limited = Set.copyOf(limited);
        }

        /** An answer in which no limit counts. */
        public ClaimedJobs(List<ClaimedJob> jobs, @Nullable Instant nextDue, Set<QueueName> paused) {
            this(jobs, nextDue, paused, Set.of());
        }
    }
}
