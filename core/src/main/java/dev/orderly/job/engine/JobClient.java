package dev.orderly.job.engine;

import dev.orderly.Internal;
import dev.orderly.Registration;
import dev.orderly.flow.Lifecycle;
import dev.orderly.flow.Wakeup;
import dev.orderly.job.AwaitResult;
import dev.orderly.job.CancelResult;
import dev.orderly.job.EventResult;
import dev.orderly.job.FifoQueue;
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
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.OnDead;
import dev.orderly.job.Payload;
import dev.orderly.job.Push;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRequest;
import dev.orderly.job.PushResult;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.QueuePosition;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.RunNowResult;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.Throttled;
import dev.orderly.job.payload.PayloadCheck;
import dev.orderly.job.payload.PayloadCodec;
import dev.orderly.job.settings.KeySettings;
import dev.orderly.job.settings.LimitOverride;
import dev.orderly.job.settings.QueueOverride;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.AttemptSnapshot;
import dev.orderly.job.store.AwaitAnswer;
import dev.orderly.job.store.EventWait;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.JobStore.StepResult;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.KeyView;
import dev.orderly.job.store.LimitView;
import dev.orderly.job.store.NewEvent;
import dev.orderly.job.store.NewJob;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.job.store.QueueSnapshot;
import dev.orderly.job.store.Settlement;
import dev.orderly.job.store.StartWindow;
import dev.orderly.job.store.StepReport;
import dev.orderly.job.store.TransactionalJobs;
import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.store.Bus;
import dev.orderly.store.StoreException;
import dev.orderly.text.StoredText;
import dev.orderly.time.Time;
import dev.orderly.user.UserScope;
import java.lang.reflect.Type;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The client of one node: declares queues, pushes, views and operates jobs. A {@link JobWorker} runs the handlers.
 * Thread-safe.
 *
 * <p>Pushes, views and operations block until the store has answered and throw {@link dev.orderly.store.StoreException}
 * when it cannot.
 */
@Internal(to = "dev.orderly")
public final class JobClient implements Jobs {
    /** The interval of looks for a job that may end on another node. */
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int SET_TRIES = 100;

    final JobStore store;
    final JobViews views;
    final EngineOptions options;
    final DeclaredQueues queues;
    final RunningJobs running;
    final JobChangeListeners changes;
    final Pusher pusher;
    final TransactionalJobs transactional;
    final AttemptSteps.Ports steps;
    private final PatientReports reports;
    private final JobBatches batches;
    private volatile Consumer<QueueName> forgetter = _ -> {};
    private volatile @Nullable EventUrls eventUrls;

    /** The client of a store with a single node, without transactions of the application. */
    public JobClient(JobStore store, JobViews views, EngineOptions options, Lifecycle lifecycle) {
        this(Objects.requireNonNull(store, "store"), Objects.requireNonNull(views, "views"), options, Bus.ALONE,
                TransactionalJobs.unsupported("this client has no port for it"),
                lifecycle);
    }

    /**
     * The client of one of several nodes.
     *
     * @param lifecycle its end ends pushes: later pushes fail with {@link IllegalStateException}, views and operations
     *     go on
     */
    public JobClient(JobStore store, JobViews views, EngineOptions options, Bus bus, TransactionalJobs transactional,
            Lifecycle lifecycle) {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(transactional, "transactional");
        Objects.requireNonNull(views, "views");
        this.store = store;
        this.views = views;
        this.transactional = transactional;
        this.options = options;
        PayloadCodec codec = new PayloadCodec(options.json(), options.readers());
        this.steps = new AttemptSteps.Ports(store, views, transactional, codec, this::eventUrls);
        this.running = new RunningJobs(options.time(), options.claimBytes(), new UnreadableJobs(views, options));
        this.queues = new DeclaredQueues(bus, codec, options.time(), running::cancel);
        this.changes = new JobChangeListeners(options.time());
        this.reports = new PatientReports(store, options.time());
        this.pusher = new Pusher(new Pusher.Ports(store, views, transactional), options, queues);
        this.batches = new JobBatches(this);
        lifecycle.of(() -> {}, () -> pusher.close(NodeTimes.STOP));
    }

    /** As {@link dev.orderly.Orderly#limit}. */
    public void limit(String name, Limit limit) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(limit, "limit");
        queues.declare(new LimitName(name), limit);
    }

    /** The batches of jobs. */
    public JobBatches batches() {
        return batches;
    }

    @Override
    public List<LimitView> limits() {
        return views.limits();
    }

    /** What operators have changed of a limit; {@link LimitOverride#NONE} for nothing. Answers from memory. */
    public LimitOverride limitOverride(LimitName limit) {
        Objects.requireNonNull(limit, "limit");
        return queues.limitOverride(limit);
    }

    @Override
    public List<KeyView> keys(QueueName queue, int limit) {
        Objects.requireNonNull(queue, "queue");
        return views.keys(queue, null, Math.clamp(limit, 1, 1_000));
    }

    /**
     * As {@link dev.orderly.Orderly#queue(String, Class)}, with options.
     *
     * @param type type of the payload: a class, a generic type from Jackson's {@code TypeReference}, or
     *     {@link dev.orderly.job.payload.PayloadTypes} for several kinds or changes
     */
    public <T> StandardQueue<T> queue(String name, Type type, QueueOptions queueOptions) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(queueOptions, "queueOptions");
        Objects.requireNonNull(type, "type");
        QueueName queue = new QueueName(name);
        if (queue.isFifo()) {
            throw new IllegalArgumentException(
                    "Queue " + name + " is FIFO by its name: declare it with fifo(), or drop the .fifo");
        }
        queues.declare(queue, type, queueOptions);
        return new StandardQueue<>(pusher, queue);
    }

    /** As {@link dev.orderly.Orderly#fifo(String, Class)}; the type as for {@link #queue}. */
    public <T> FifoQueue<T> fifo(String name, Type type, QueueOptions queueOptions) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(queueOptions, "queueOptions");
        Objects.requireNonNull(type, "type");
        QueueName queue = new QueueName(name);
        if (!queue.isFifo()) {
            throw new IllegalArgumentException(
                    "Queue " + name + " is not FIFO by its name: end the name in .fifo, or declare it with queue()");
        }
        if (queueOptions.retry().equals(RetryPolicy.STANDARD)) {
            throw new IllegalArgumentException("Queue " + name + " is FIFO and has the retry policy of standard queues,"
                    + " by which a failing job holds its group for a day: start from QueueOptions.FIFO, or give it a"
                    + " policy of its own with withRetry()");
        }
        queues.declare(queue, type, queueOptions);
        return new FifoQueue<>(pusher, queue);
    }

    @Override
    public PushResult push(PushRequest request) {
        Objects.requireNonNull(request, "request");
        return pushAll(List.of(request)).getFirst();
    }

    @Override
    public List<PushResult> pushAll(List<PushRequest> requests) {
        return pusher.push(requests);
    }

    @Override
    public <T> PushRequest request(JobQueue<T> queue, T payload) {
        return new Push<T>(pusher, queue.name()).with(payload);
    }

    /**
     * Checks a push by the rules of its queue, without storing it: for callers that store the job in a transaction of
     * their own and then call {@link #stored}. The user of the {@link UserScope} is not applied.
     *
     * @throws PushRefusedException if a rule of the queue is broken
     */
    public NewJob check(PushRequest request) {
        return pusher.check(request);
    }

    /** Counts a checked job that is now durable, and makes nodes claim it. */
    public void stored(NewJob job) {
        Objects.requireNonNull(job, "job");
        pusher.stored(List.of(job));
    }

    /** The target of requests that are part of a transaction of the caller. As {@link Push#in}. */
    public Push.Target in(CallersTransaction transaction) {
        Objects.requireNonNull(transaction, "transaction");
        return pusher.in(transaction);
    }

    @Override
    public SettleResult report(AttemptId attempt, AttemptOutcome outcome) {
        Objects.requireNonNull(outcome, "outcome");
        SettleResult result = reports.settle(new Settlement(null, attempt, outcome));
        if (result == SettleResult.ACCEPTED) {
            DeclaredQueue queue = queues.get(attempt.queue());
            if (queue != null && !(outcome instanceof AttemptOutcome.Leased)) {
                queue.drained.mark(outcome.isFinal() ? 1 : 0);
                queue.leased.updateAndGet(now -> Math.max(0, now - 1));
                queues.hintEverywhere(queue);
                queues.freed(queue);
            }
            changes.jobChanged(attempt.id());
        }
        return result;
    }

    @Override
    public SettleResult reportFailure(AttemptId attempt, JobFailure failure, @Nullable Duration retryIn,
            boolean dead) {
        Objects.requireNonNull(failure, "failure");
        JobView view = running(attempt);
        if (view == null) {
            return SettleResult.LEASE_LOST;
        }
        Optional<Duration> delay = dead
                ? Optional.empty()
                : view.terms().retryOr(rules(attempt.queue()).retry()).delayAfter(view.failures() + 1,
                        options.random());
        return report(attempt, delay
                .<AttemptOutcome>map(wait -> new AttemptOutcome.Retry(now().plus(retryIn == null ? wait : retryIn),
                        failure))
                .orElseGet(() -> new AttemptOutcome.Dead(failure, halts(attempt.queue()))));
    }

    /** The job of an attempt, if it runs and the attempt is its newest. */
    private @Nullable JobView running(AttemptId attempt) {
        return views.find(attempt.id())
                .filter(view -> view.state() == JobState.RUNNING && view.attempt() == attempt.number()).orElse(null);
    }

    /** The options of a queue; the defaults if it is not declared here. */
    private QueueOptions rules(QueueName queue) {
        return options(queue).orElseGet(() -> QueueOptions.defaultsFor(queue));
    }

    /** Whether a dead letter of a queue halts its group. */
    private boolean halts(QueueName queue) {
        return queue.isFifo() && rules(queue).onDead() == OnDead.HALT;
    }

    @Override
    public SettleResult reportThrottled(AttemptId attempt, Throttled throttled) {
        Objects.requireNonNull(throttled, "throttled");
        if (running(attempt) == null) {
            return SettleResult.LEASE_LOST;
        }
        int times = attempt.number() < Throttled.ROW_MAX
                ? 1
                : AttemptSnapshot.throttles(views.attempts(attempt.id())) + 1;
        if (times < Throttled.ROW_MAX) {
            return report(attempt, new AttemptOutcome.Throttle(throttled.rest(), throttled.isOfAll(),
                    now().plus(throttled.rest())));
        }
        return report(attempt, new AttemptOutcome.Dead(OutcomeRules.throttledTooOften(times, JobFailure.of(throttled)),
                halts(attempt.queue()), JobAttempt.End.THROTTLED));
    }

    @Override
    public SettleResult reportProgress(AttemptId attempt, JobProgress progress) {
        Objects.requireNonNull(progress, "progress");
        SettleResult result = store.progress(List.of(new ProgressReport(null, attempt, progress)), now()).getFirst();
        if (result == SettleResult.ACCEPTED) {
            changes.jobChanged(attempt.id());
        }
        return result;
    }

    /**
     * Declares that workers elsewhere pull the jobs of a queue, so that this node does not run them.
     *
     * @throws IllegalStateException if the queue is not declared here, or has a handler
     */
    public void pull(JobQueue<?> queue) {
        DeclaredQueue declared = queues.get(queue.name());
        if (declared == null || declared.handler() != null) {
            throw new IllegalStateException("Queue " + queue.name() + " cannot be pulled: "
                    + (declared == null ? "declare it first" : "it has a handler on this node, remove it"));
        }
        declared.pull();
    }

    /** Whether workers pull the jobs of a queue on this node. */
    public boolean isPulled(QueueName queue) {
        Objects.requireNonNull(queue, "queue");
        return Optional.ofNullable(queues.get(queue)).filter(DeclaredQueue::isPulled).isPresent();
    }

    /** Sets the callback for hints that a pulled queue may have work; it must not block. */
    public void onPullable(Consumer<QueueName> callback) {
        Objects.requireNonNull(callback, "callback");
        queues.onPullable(callback);
    }

    /** The number of further leased jobs that the queue's bound allows, by the count that this node knows. */
    public long leasesLeft(QueueName queue) {
        Objects.requireNonNull(queue, "queue");
        return Optional.ofNullable(queues.get(queue)).map(DeclaredQueue::leasesLeft).orElse(0L);
    }

    /**
     * Whether a job that starts now starts so late after its claim that the rate of its limit might be exceeded.
     *
     * @param nanos monotonic time before the claim
     * @param wall the same moment by the wall clock, which goes on while the machine is suspended
     */
    public boolean startsLate(QueueName queue, long nanos, Instant wall) {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(wall, "wall");
        DeclaredQueue declared = queues.get(queue);
        return declared != null && running.gate().isLate(declared, new NodeLease.Moment(nanos, wall));
    }

    /** Counts jobs that were leased to workers. */
    public void leased(QueueName queue, int jobs) {
        Objects.requireNonNull(queue, "queue");
        Optional.ofNullable(queues.get(queue)).ifPresent(declared -> declared.leased.addAndGet(jobs));
    }

    @Override
    public Optional<JobView> find(JobId id) {
        Objects.requireNonNull(id, "id");
        return views.find(id);
    }

    @Override
    public <T> Optional<T> result(JobId id, Class<T> type) {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(type, "type");
        return views.find(id).flatMap(job -> result(job, type));
    }

    private <T> Optional<T> result(JobView job, Class<T> type) {
        return job.state() == JobState.DONE
                ? Optional.ofNullable(job.result()).map(result -> queues.decode(result, type))
                : Optional.empty();
    }

    @Override
    public <T> AwaitResult<T> await(JobId id, Class<T> type, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(timeout, "timeout");
        Time time = options.time();
        long end = time.deadline(timeout);
        Wakeup changed = new Wakeup();
        Consumer<JobId> listener = job -> {
            if (job.equals(id)) {
                changed.ring();
            }
        };
        try (Registration _ = changes.add(listener)) {
            while (true) {
                JobView job = views.find(id).orElse(null);
                AwaitResult<T> result = job == null ? new AwaitResult.Unknown<>(id) : ended(job, type);
                if (!(result instanceof AwaitResult.Pending) || time.reached(end)) {
                    return result;
                }
                long look = time.deadline(LOOK);
                changed.await(time, look - end < 0 ? look : end);
                if (Thread.interrupted()) {
                    throw new InterruptedException("Interrupted while waiting for job " + id);
                }
            }
        }
    }

    private <T> AwaitResult<T> ended(JobView job, Class<T> type) {
        return switch (job.state()) {
            case DONE -> new AwaitResult.Done<>(result(job, type));
            case DEAD -> new AwaitResult.Dead<>(job);
            case CANCELLED -> new AwaitResult.Cancelled<>(job);
            case WAITING, DELAYED, RUNNING -> new AwaitResult.Pending<>(job);
        };
    }

    @Override
    public List<JobView> list(QueueName queue, JobState state, @Nullable JobId after, int limit) {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(state, "state");
        return views.list(queue, state, after, limit);
    }

    @Override
    public Optional<QueuePosition> position(JobId id) {
        Objects.requireNonNull(id, "id");
        return views.find(id).flatMap(this::position);
    }

    /** As {@link #position(JobId)}, for a caller that has read the job a moment ago. */
    public Optional<QueuePosition> position(JobView job) {
        if (job.state() != JobState.WAITING) {
            return Optional.empty();
        }
        int ahead = views.ahead(job.id(), JobViews.AHEAD_MAX);
        DeclaredQueue queue = queues.get(job.queue());
        return Optional.of(new QueuePosition(ahead, ahead == JobViews.AHEAD_MAX,
                queue == null ? null : queue.waitBehind(ahead)));
    }

    /** As {@link JobViews#blocker}. */
    public Optional<JobId> blocker(JobId id) {
        Objects.requireNonNull(id, "id");
        return views.blocker(id);
    }

    /** As {@link JobViews#ahead}, counted up to its maximum. */
    public int ahead(JobId id) {
        Objects.requireNonNull(id, "id");
        return views.ahead(id, JobViews.AHEAD_MAX);
    }

    /** The load of a queue on this node. Answers from memory, without blocking. */
    public QueueStatus.Load load(QueueName name) {
        Objects.requireNonNull(name, "name");
        DeclaredQueue queue = queues.get(name);
        boolean over = running.lease().isOver();
        return queue == null
                ? new QueueStatus.Load(false, 0, 0, running.freeBytes(), over)
                : new QueueStatus.Load(queue.handler() != null, queue.busy(), queue.options().concurrency(),
                        running.freeBytes(), over);
    }

    /** How this node holds a job. Answers from memory, without blocking. */
    public QueueStatus.Hold hold(JobId id) {
        Objects.requireNonNull(id, "id");
        return running.hold(id, name -> Optional.ofNullable(queues.get(name)).map(queue -> queue.options().timeout()));
    }

    @Override
    public Registration onChange(Consumer<JobId> listener) {
        Objects.requireNonNull(listener, "listener");
        return changes.add(listener);
    }

    /**
     * Replaces the configured settings of a queue on this node while its jobs run; those of operators stay. Jobs that
     * run keep their timeout; if there are fewer handlers than jobs that run, no job starts until enough have ended.
     *
     * @throws IllegalArgumentException if the queue is not declared on this node
     * @throws IllegalStateException if the settings name a limit that is not declared on this node
     */
    public void change(QueueName name, QueueOptions value) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
        DeclaredQueue queue = queues.get(name);
        if (queue == null) {
            throw new IllegalArgumentException("Queue " + name + " is not declared on this node: declare it first");
        }
        queues.checkLimit(name, value);
        queue.change(value);
        queues.hint(queue);
    }

    /** Puts settings of operators in place of the configured ones; a queue without an entry has those again. */
    public void override(Map<QueueName, QueueOverride> all) {
        queues.override(all);
    }

    /**
     * Puts the bounds of limits in force that operators have changed, in place of the declared ones of this node. For
     * {@link dev.orderly.job.settings.LimitSettings}.
     */
    public void overrideLimits(Map<LimitName, LimitOverride> all) {
        queues.overrideLimits(all);
    }

    @Override
    public Optional<QueueOptions> options(QueueName queue) {
        Objects.requireNonNull(queue, "queue");
        return Optional.ofNullable(queues.get(queue)).map(declared -> declared.options());
    }

    @Override
    public List<QueueStatus> queues() {
        return queues.statuses(views.queues());
    }

    @Override
    public void pause(QueueName queue, boolean paused) {
        Objects.requireNonNull(queue, "queue");
        store.pause(queue, paused);
        queues.pauseEverywhere(queue, paused);
    }

    /** The keys of all queues in numbers. As {@link JobViews#keyCounts}. Blocks on the store. */
    public List<KeyCounts> keyCounts() {
        return views.keyCounts();
    }

    @Override
    public KeyView key(QueueName queue, String key) {
        Objects.requireNonNull(queue, "queue");
        PushRules.checkKeyOrGroup(queue, key);
        return views.keys(queue, key, 1).stream().findFirst().orElseGet(() -> KeyView.of(key,
                LimitView.ofKeys(queue, views.limits()).map(LimitView::limit).orElse(null), KeySettings.NONE, 0,
                StartWindow.EMPTY, null, 0));
    }

    @Override
    public KeySettings setKey(QueueName queue, String key, UnaryOperator<KeySettings> change, String by) {
        Objects.requireNonNull(change, "change");
        StoredText.check("The identity behind the change", Objects.requireNonNull(by, "by"));
        for (int tries = 0; tries < SET_TRIES; tries++) {
            KeySettings seen = key(queue, key).settings();
            KeySettings next = change.apply(seen).changed(by, options.time().now());
            if (queue.isFifo() && !next.bounds().isEmpty()) {
                throw new IllegalArgumentException("Group " + key + " of queue " + queue + " has no bounds, since one"
                        + " of its jobs runs at a time: pause it, or bound the queue by a limit, or each group by"
                        + " per-key");
            }
            switch (store.set(queue, key, seen, next)) {
                case SET -> {
                    queues.lookEverywhere(queue);
                    return next;
                }
                case CHANGED_MEANWHILE -> {
                }
                case TOO_MANY -> throw new IllegalArgumentException((queue.isFifo() ? "Groups" : "Keys") + " of queue "
                        + queue + " have settings already, " + KeySettings.MOST + " of them: resume or reset others");
            }
        }
        throw new StoreException.Unavailable("The settings of " + key + " of queue " + queue
                + " are changed by others all the time: try again", null);
    }

    @Override
    public ForgetQueueResult forget(QueueName queue) {
        Objects.requireNonNull(queue, "queue");
        if (queues.get(queue) != null) {
            return new ForgetQueueResult.InUse(views.queues().stream().filter(view -> view.queue().equals(queue))
                    .findFirst().orElseGet(() -> QueueSnapshot.empty(queue)), Set.of(options.node()));
        }
        ForgetQueueResult result = store.forget(queue);
        if (!(result instanceof ForgetQueueResult.InUse)) {
            forgetter.accept(queue);
        }
        return result;
    }

    /** Sets the callback that removes what others keep about a forgotten queue; it may wait for the store. */
    public void onForget(Consumer<QueueName> callback) {
        Objects.requireNonNull(callback, "callback");
        forgetter = callback;
    }

    @Override
    public int redrive(QueueName queue, List<JobId> ids, int limit) {
        Objects.requireNonNull(ids, "ids");
        Objects.requireNonNull(queue, "queue");
        int redriven = store.redrive(queue, ids, limit, options.time().now());
        hint(queue);
        return redriven;
    }

    @Override
    public int redriveAll(QueueName queue, int limit) {
        Objects.requireNonNull(queue, "queue");
        int redriven = store.redriveAll(queue, limit, options.time().now());
        hint(queue);
        return redriven;
    }

    @Override
    public CancelResult cancel(JobId id) {
        Objects.requireNonNull(id, "id");
        CancelResult result = store.cancel(id, options.time().now());
        if (result == CancelResult.REQUESTED) {
            result = running.cancel(id);
        }
        if (result == CancelResult.REQUESTED) {
            queues.cancelElsewhere(id);
        }
        queues.all().forEach(queues::hint);
        changes.jobChanged(id);
        return result;
    }

    @Override
    public RunNowResult runNow(JobId id) {
        Objects.requireNonNull(id, "id");
        RunNowResult result = store.runNow(id, options.time().now());
        if (result == RunNowResult.DUE) {
            views.find(id).ifPresent(job -> hint(job.queue()));
            changes.jobChanged(id);
        }
        return result;
    }

    @Override
    public PayloadCheck payloads() {
        return new PayloadCheck(views, queues::formats);
    }

    @Override
    public List<JobAttempt> attempts(JobId id) {
        Objects.requireNonNull(id, "id");
        return views.find(id).map(this::attempts).orElse(List.of());
    }

    /** As {@link #attempts(JobId)}, for a caller that has read the job a moment ago. */
    public List<JobAttempt> attempts(JobView job) {
        Objects.requireNonNull(job, "job");
        return AttemptSnapshot.of(job, views.attempts(job.id()));
    }

    @Override
    public List<JobStep> steps(JobId id) {
        Objects.requireNonNull(id, "id");
        return views.steps(id);
    }

    /** Keeps a step of an attempt for its worker. As {@link #report}. */
    public StepResult reportStep(AttemptId attempt, String name, @Nullable Payload value) {
        Objects.requireNonNull(attempt, "attempt");
        return store.keep(new StepReport(null, attempt, name, value), now());
    }

    @Override
    public List<JobEvent> events(JobId id) {
        Objects.requireNonNull(id, "id");
        return views.events(id);
    }

    @Override
    public EventResult event(JobId id, String name, Object value) {
        return event(new NewEvent(Objects.requireNonNull(id, "id"), name, null,
                steps.codec().encode(Objects.requireNonNull(value, "value"))));
    }

    /** As {@link #event(JobId, String, Object)}, with the stored form of the value, and the name of its sender. */
    public EventResult event(NewEvent event) {
        Objects.requireNonNull(event, "event");
        EventResult result = store.event(event, now());
        if (result == EventResult.ACCEPTED) {
            views.find(event.job()).ifPresent(job -> hint(job.queue()));
            changes.jobChanged(event.job());
        }
        return result;
    }

    /** Sets what signs the links of {@link Job#eventUrl}. */
    public void signEvents(EventUrls urls) {
        eventUrls = Objects.requireNonNull(urls, "urls");
    }

    /** What signs the links of {@link Job#eventUrl}; empty for a client without a store of values. */
    public Optional<EventUrls> eventUrls() {
        return Optional.ofNullable(eventUrls);
    }

    @Override
    public Optional<URI> eventUrl(JobId id, String name, Instant until) {
        Objects.requireNonNull(id, "id");
        JobEvent.checkName(name);
        Objects.requireNonNull(until, "until");
        return eventUrls().flatMap(urls -> urls.link(id, name, until));
    }

    /** The events of a job for the worker of a running attempt of it, as {@link Job#events}. */
    public List<JobEvent> eventsFor(AttemptId attempt) {
        Objects.requireNonNull(attempt, "attempt");
        return AttemptEvents.told(steps, null, attempt, now());
    }

    /** Asks for an event of an attempt for its worker, as {@link Job#await} does. */
    public AwaitAnswer reportAwait(AttemptId attempt, String name, Instant until) {
        Objects.requireNonNull(attempt, "attempt");
        return store.await(new EventWait(null, attempt, name, until), now());
    }

    @Override
    public Instant now() {
        return options.time().now();
    }

    @Override
    public void hint(JobQueue<?> queue) {
        hint(queue.name());
    }

    void hint(QueueName name) {
        Optional.ofNullable(queues.get(name)).ifPresent(queues::hintEverywhere);
    }
}
