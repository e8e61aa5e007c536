package dev.orderly;

import dev.orderly.job.BatchHandler;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchOpening;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Handler;
import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.Limit;
import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.diagnosis.BatchDiagnosis;
import dev.orderly.job.diagnosis.BatchDiagnostics;
import dev.orderly.job.diagnosis.JobDiagnosis;
import dev.orderly.job.diagnosis.JobDiagnostics;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.Jobs;
import dev.orderly.job.payload.PayloadTypes;
import dev.orderly.job.settings.LimitSettings;
import dev.orderly.live.LiveOptions;
import dev.orderly.live.Users;
import dev.orderly.node.NodeStatus;
import dev.orderly.room.gate.Rooms;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.schedule.ScheduleDefinitions;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduledHandler;
import dev.orderly.schedule.Schedules;
import dev.orderly.schedule.Timing;
import dev.orderly.store.StoreBackups;
import dev.orderly.store.StoreException;
import dev.orderly.store.copy.StoreCopy;
import dev.orderly.store.watch.StoreWatch;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.core.type.TypeReference;

/**
 * Orderly inside an application: one store with its queues, handlers, schedules and live messages.
 *
 * {@snippet :
 * try (var orderly = Orderly.open(SqliteStore.at(Path.of("orderly.db")))) {
 *     FifoQueue<Profile> profiles = orderly.fifo("update_profile.fifo", Profile.class);
 *     orderly.handle(profiles, (profile, job) -> crm.update(profile));
 *     orderly.start();
 *     profiles.group(profile.userId()).push(profile);
 * }
 * }
 *
 * <p>Declare queues and attach handlers, then {@link #start}; pushing works from the first declaration on. Thread-safe.
 * An application usually has one instance.
 */
public final class Orderly implements AutoCloseable {
    private static final ScopedValue<Orderly> CURRENT = ScopedValue.newInstance();

    private final Engines engines;

    private Orderly(Engines engines) {
        this.engines = engines;
    }

    /** Opens an instance that owns the store: {@link #close} closes it. */
    public static Orderly open(Store store) {
        return open(store, EngineOptions.defaults());
    }

    /** As {@link #open(Store)}, with the given settings of the engine. */
    public static Orderly open(Store store, EngineOptions options) {
        return open(store, options, LiveOptions.DEFAULT);
    }

    /**
     * As {@link #open(Store)}, with the given settings of the engine and of live messages.
     *
     * @throws StoreException.Unusable if another store was copied into this one in part; it is closed then
     */
    public static Orderly open(Store store, EngineOptions options, LiveOptions live) {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(live, "live");
        if (StoreCopy.isUnderWay(store.copying())) {
            store.close();
            throw new StoreException.Unusable("The store " + store.name() + " has an unfinished copy of another store:"
                    + " run orderly store copy again, which continues it, or empty this store", null);
        }
        return new Orderly(new Engines(store, options, live));
    }

    /**
     * The instance whose handler runs on this thread. Not inherited by threads that the handler starts.
     *
     * @throws IllegalStateException outside a handler
     */
    public static Orderly current() {
        if (!CURRENT.isBound()) {
            throw new IllegalStateException("No job runs on this thread: call Orderly.current() inside a handler, or"
                    + " keep the instance you opened");
        }
        return CURRENT.get();
    }

    /**
     * Declares a limit over all nodes, which queues name by {@link QueueOptions#withLimit(String)}. Before those
     * queues; a repeated declaration replaces the one before, within some seconds. Of nodes that declare different
     * bounds under a name, the last to declare it counts. Nothing that runs is stopped.
     *
     * @throws IllegalArgumentException if the name breaks the rule of {@link dev.orderly.job.LimitName}, or is that of
     *     the limit that a queue has for itself
     */
    public void limit(String name, Limit limit) {
        engines.jobs().limit(name, limit);
    }

    /** A standard queue with the default options. As {@link #queue(String, Class, UnaryOperator)}. */
    public <T> StandardQueue<T> queue(String name, Class<T> type) {
        return queue(name, type, UnaryOperator.identity());
    }

    /**
     * Declares a standard queue, with changes to the default options of its kind. A repeated declaration with the same
     * type and options returns an equivalent queue.
     *
     * {@snippet :
     * orderly.queue("reports", Report.class, o -> o.withConcurrency(4).withTimeout(Duration.ofMinutes(30)));
     * }
     *
     * @throws IllegalArgumentException if the name breaks the rule of {@link QueueName} or ends in {@code .fifo}, or if
     *     dead letters halt groups, which the queue does not have
     * @throws IllegalStateException if the queue is declared with another type or other options, or names a limit that
     *     is not declared
     */
    public <T> StandardQueue<T> queue(String name, Class<T> type, UnaryOperator<QueueOptions> options) {
        return engines.jobs().queue(name, type, changed(name, options));
    }

    /**
     * As {@link #queue(String, Class)}, for a generic type.
     *
     * {@snippet :
     * StandardQueue<List<Email>> lists = orderly.queue("lists", new TypeReference<List<Email>>() {});
     * }
     */
    public <T> StandardQueue<T> queue(String name, TypeReference<T> type) {
        return queue(name, type, UnaryOperator.identity());
    }

    /** As {@link #queue(String, TypeReference)}, with changes to the default options. */
    public <T> StandardQueue<T> queue(String name, TypeReference<T> type, UnaryOperator<QueueOptions> options) {
        return engines.jobs().queue(name, type.getType(), changed(name, options));
    }

    /** As {@link #queue(String, Class)}, for payloads of several kinds, or whose shape has changed. */
    public <T> StandardQueue<T> queue(String name, PayloadTypes<T> types) {
        return queue(name, types, UnaryOperator.identity());
    }

    /** As {@link #queue(String, PayloadTypes)}, with changes to the default options. */
    public <T> StandardQueue<T> queue(String name, PayloadTypes<T> types, UnaryOperator<QueueOptions> options) {
        Objects.requireNonNull(types, "types");
        return engines.jobs().queue(name, types, changed(name, options));
    }

    /** A FIFO queue with the default options. As {@link #fifo(String, Class, UnaryOperator)}. */
    public <T> FifoQueue<T> fifo(String name, Class<T> type) {
        return fifo(name, type, UnaryOperator.identity());
    }

    /**
     * Declares a FIFO queue, with changes to the default options of its kind; its name ends in {@code .fifo}. Otherwise
     * as {@link #queue(String, Class, UnaryOperator)}.
     *
     * @throws IllegalArgumentException also if the options have {@link dev.orderly.job.RetryPolicy#STANDARD}, by which
     *     a failing job would hold its group for a day
     */
    public <T> FifoQueue<T> fifo(String name, Class<T> type, UnaryOperator<QueueOptions> options) {
        return engines.jobs().fifo(name, type, changed(name, options));
    }

    /** As {@link #fifo(String, Class)}, for a generic type. */
    public <T> FifoQueue<T> fifo(String name, TypeReference<T> type) {
        return fifo(name, type, UnaryOperator.identity());
    }

    /** As {@link #fifo(String, TypeReference)}, with changes to the default options. */
    public <T> FifoQueue<T> fifo(String name, TypeReference<T> type, UnaryOperator<QueueOptions> options) {
        return engines.jobs().fifo(name, type.getType(), changed(name, options));
    }

    /** As {@link #fifo(String, Class)}, for payloads of several kinds, or whose shape has changed. */
    public <T> FifoQueue<T> fifo(String name, PayloadTypes<T> types) {
        return fifo(name, types, UnaryOperator.identity());
    }

    /** As {@link #fifo(String, PayloadTypes)}, with changes to the default options. */
    public <T> FifoQueue<T> fifo(String name, PayloadTypes<T> types, UnaryOperator<QueueOptions> options) {
        Objects.requireNonNull(types, "types");
        return engines.jobs().fifo(name, types, changed(name, options));
    }

    private static QueueOptions changed(String name, UnaryOperator<QueueOptions> options) {
        Objects.requireNonNull(name, "name");
        return options.apply(QueueOptions.defaultsFor(new QueueName(name)));
    }

    /**
     * The beginning of a batch: members of any queues, with one callback when all have ended. As {@link
     * BatchOpening#then}.
     *
     * {@snippet :
     * Batch batch = orderly.batch("import-42").then(reports, new Summary(42));
     * emails.in(batch).pushAll(list);
     * batch.close();
     * }
     *
     * @throws IllegalArgumentException if the name breaks the rule of {@link dev.orderly.job.BatchName}
     */
    public BatchOpening batch(String name) {
        Objects.requireNonNull(name, "name");
        return engines.jobs().batches().opening(name);
    }

    /**
     * Attaches the handler of a queue; this node claims its jobs from then on, once it is started.
     *
     * <p>Closing the registration detaches the handler, without a wait: this node claims no more jobs of the queue and
     * starts none on this handler, gives back what it has claimed and not begun, and jobs that run go on to their end.
     * The queue stays declared, so that pushes go on, and another handler may be attached, which counts into the same
     * concurrency.
     *
     * @throws IllegalStateException if the queue has a handler, or is not declared on this instance, which has not
     *     been stopped
     */
    public <T> Registration handle(JobQueue<T> queue, Handler<T> handler) {
        Objects.requireNonNull(handler, "handler");
        return engines.worker().<T>handle(queue, (payload, job) -> ScopedValue.where(CURRENT, this).call(() -> {
            handler.handle(payload, job);
            return true;
        }));
    }

    /**
     * Attaches a handler that gets up to {@code most} jobs of a standard queue in one call, each settled by itself.
     * Otherwise as {@link #handle}.
     *
     * @param most 1 to {@link BatchHandler#JOBS_MAX}
     */
    public <T> Registration handleBatch(StandardQueue<T> queue, int most, BatchHandler<T> handler) {
        Objects.requireNonNull(handler, "handler");
        return engines.worker().handleBatch(queue, most, jobs -> ScopedValue.where(CURRENT, this).call(() -> {
            handler.handle(jobs);
            return true;
        }));
    }

    /**
     * Runs a handler at the instants of a timing, once over all nodes that declare the schedule, on any of them. Its
     * jobs have a queue of their own, {@link ScheduleName#queue()}, with these defaults: one run at a time; one
     * attempt, since the next instant is another; a timeout of the shortest interval between instants, at most five
     * minutes.
     *
     * <p>If several instants were missed, only the last is made up for. An instant is skipped while the previous run
     * waits or is under way. Closing the registration ends this node's declaration, without a wait.
     *
     * @throws IllegalStateException if this instance has a schedule or a queue of this name already, or was stopped
     */
    public Registration schedule(String name, Timing timing, ScheduledHandler handler) {
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(name, "name");
        return schedule(name, timing, UnaryOperator.identity(), handler);
    }

    /**
     * As {@link #schedule(String, Timing, ScheduledHandler)}, with changes to its default options, such as
     * timeout and attempts.
     */
    public Registration schedule(String name, Timing timing, UnaryOperator<QueueOptions> options,
            ScheduledHandler handler) {
        Objects.requireNonNull(handler, "handler");
        Objects.requireNonNull(name, "name");
        return engines.schedules().handle(new ScheduleName(name), timing,
                options.apply(engines.schedules().optionsFor(timing)),
                run -> ScopedValue.where(CURRENT, this).call(() -> {
                    handler.handle(run);
                    return true;
                }));
    }

    /**
     * Pushes a job at the instants of a timing, once over all nodes that declare the schedule. The job gets the params
     * {@code schedule}, {@code cron} and {@code instant}. Otherwise as {@link #schedule(String, Timing,
     * ScheduledHandler)}.
     *
     * @throws dev.orderly.job.PushRefusedException if the job breaks a rule of its queue
     */
    public <T> Registration schedule(String name, Timing timing, StandardQueue<T> queue, T payload) {
        Objects.requireNonNull(name, "name");
        return engines.schedules().declare(new ScheduleName(name), timing, engines.jobs().request(queue, payload));
    }

    /** As {@link #schedule(String, Timing, StandardQueue, Object)}, into one group. */
    public <T> Registration schedule(String name, Timing timing, FifoQueue<T> queue, String group, T payload) {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(name, "name");
        return engines.schedules().declare(new ScheduleName(name), timing,
                engines.jobs().request(queue, payload).withGroup(group));
    }

    /**
     * Starts the handlers and the schedules: registers the node, gives back the jobs of dead nodes, then claims.
     *
     * @throws StoreException if the store cannot be reached; it may be called again later
     * @throws IllegalStateException if it was started or stopped before
     */
    public void start() {
        engines.start();
    }

    /**
     * Whether each part of the store answers this node, watched from {@link #start} on. A part that is this node's own
     * fails for this node alone; the outage of a shared part is one of {@link #warnings}.
     */
    public StoreWatch stores() {
        return engines.stores();
    }

    /**
     * Stalled background work of jobs, schedules and presence, a line for the operator each; empty when all is well,
     * and while {@linkplain StoreWatch#explainsDelays an outage of a shared store explains} it. Answers from memory.
     */
    public List<String> stalls() {
        if (engines.stores().explainsDelays()) {
            return List.of();
        }
        return engines.stalls();
    }

    /**
     * Present faults that no other node would be spared, as lines for the operator; empty when all is well: outages of
     * a shared store, a full queue of its notifications, and schedules that no live node declares. Answers from memory.
     */
    public List<String> warnings() {
        return Stream
                .of(engines.stores().sharedOutages().stream().map(StoreWatch.Outage::line),
                        engines.store().bus().fault().stream(),
                        engines.schedules().undeclaredLately().stream()
                                .map(name -> "schedules: no live node declares " + name
                                        + ", so that nobody fires it: start a node that declares it"))
                .flatMap(Function.identity()).toList();
    }

    /** Everything else about jobs: views, results, requests as values, pausing, redriving, cancelling. */
    public Jobs jobs() {
        return engines.jobs();
    }

    /** The schedules that are made, changed and removed at run time; in force from {@link #start} on. */
    public ScheduleDefinitions scheduleDefinitions() {
        return engines.definitions();
    }

    /** The bounds of limits that operators change over all nodes; in force from {@link #start} on. */
    public LimitSettings limitSettings() {
        return engines.limits();
    }

    /** What keeps a job from running, as this node sees it. Blocks on the store. */
    public JobDiagnosis why(JobId job) {
        Objects.requireNonNull(job, "job");
        return new JobDiagnostics(engines.jobs(), engines.worker(), engines.store().jobViews()).of(job);
    }

    /** What keeps the callback of a batch from coming, as this node sees it. Blocks on the store. */
    public BatchDiagnosis why(BatchName batch) {
        Objects.requireNonNull(batch, "batch");
        return new BatchDiagnostics(engines.jobs(), engines.worker(), engines.store().jobViews()).of(batch);
    }

    /** Everything else about schedules: views, manual runs, pauses. */
    public Schedules schedules() {
        return engines.schedules();
    }

    /** The instances on this store as they last reported themselves: this one first, then by host and start. */
    public List<NodeStatus> nodes() {
        return engines.nodes().nodes();
    }

    /**
     * Drains an instance: it claims no more jobs and gives back what it claimed ahead, its running jobs end, its rooms
     * go on. Or lets it claim again. It forgets this with its end. Blocks until the instance has reported it, for a few
     * seconds at most.
     *
     * @return the instance as known then, whose report tells whether it drains; empty if no such one is known
     */
    public Optional<NodeStatus> drain(NodeId node, boolean on) {
        return engines.nodes().drain(node, on);
    }

    /** Backups of the store while it is in use. */
    public StoreBackups backups() {
        return engines.backups();
    }

    /** The users that are connected to any instance on this store, as servers and servlets of Orderly connect them. */
    public Users users() {
        return engines.live().users().withHandlersIn(handler -> message -> ScopedValue.where(CURRENT, this).call(() -> {
            handler.handle(message);
            return true;
        }));
    }

    /**
     * Waiting rooms in front of paths of this application. They start and end by themselves, not with this instance:
     * {@link Rooms#start} after the rooms are declared, {@link Rooms#close} once nothing serves visitors any more.
     *
     * @param keys what signs places and passes: the same on all nodes, and over restarts
     * @throws IllegalStateException if this instance has rooms that are not closed: make them once
     */
    public Rooms rooms(TokenKeys keys) {
        Objects.requireNonNull(keys, "keys");
        return engines.rooms(keys);
    }

    /** What the modules of Orderly work with; no part of the API. */
    public Engines engines() {
        return engines;
    }

    /**
     * Starts no further job, stops bulk operations and schedules, waits for running handlers at most
     * {@link EngineOptions#stopGrace}, interrupts the rest, and gives back jobs that do not end within 5 seconds more,
     * without counting a failure. Then closes live connections, so that users receive the messages of the last jobs.
     * The store stays open for views. Idempotent.
     */
    public void stop() {
        engines.stop();
    }

    /** Stops as {@link #stop} says, then closes the store. Idempotent. */
    @Override
    public void close() {
        stop();
        engines.store().close();
    }
}
