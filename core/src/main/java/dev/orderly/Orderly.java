package dev.orderly;

import dev.orderly.flow.Lifecycle;
import dev.orderly.history.HistoryReader;
import dev.orderly.job.BatchHandler;
import dev.orderly.job.BatchName;
import dev.orderly.job.BatchOpening;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.Handler;
import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.Limit;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.bulk.BulkOperations;
import dev.orderly.job.diagnosis.BatchDiagnosis;
import dev.orderly.job.diagnosis.BatchDiagnostics;
import dev.orderly.job.diagnosis.JobDiagnosis;
import dev.orderly.job.diagnosis.JobDiagnostics;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.engine.EventUrls;
import dev.orderly.job.engine.JobClient;
import dev.orderly.job.engine.JobWorker;
import dev.orderly.job.payload.PayloadTypes;
import dev.orderly.job.pull.PullClaims;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.settings.LimitSettings;
import dev.orderly.job.settings.QueueSettings;
import dev.orderly.job.settings.SettingsLoop;
import dev.orderly.live.LiveEngine;
import dev.orderly.live.LiveNode;
import dev.orderly.live.LiveOptions;
import dev.orderly.live.Users;
import dev.orderly.node.NodeDirectory;
import dev.orderly.node.NodeWork;
import dev.orderly.schedule.ScheduleDefinitions;
import dev.orderly.schedule.ScheduleEngine;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduledHandler;
import dev.orderly.schedule.Timing;
import dev.orderly.store.StoreBackups;
import dev.orderly.store.StoreException;
import dev.orderly.store.copy.StoreCopy;
import dev.orderly.store.watch.StoreWatch;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
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

    private final Store store;
    private final JobClient jobs;
    private final QueueSettings settings;
    private final LimitSettings limits;
    private final ScheduleDefinitions definitions;
    private final SettingsLoop settingsLoop;
    private final JobWorker worker;
    private final PullClaims pulls;
    private final BulkOperations bulk;
    private final ScheduleEngine schedules;
    private final LiveEngine live;
    private final NodeDirectory nodes;
    private final HistoryReader history;
    private final Lives lives = new Lives();
    private final StoreBackups backups;
    private final StoreWatch stores;

    private Orderly(Store store, EngineOptions given, LiveOptions liveOptions) {
        this.store = store;
        EngineOptions options = given.withTime(store.clock(given.time()));
        LiveNode node = new LiveNode(options.node(), store.bus(), store.presence());
        this.live = new LiveEngine(liveOptions, options.time(), options.json(), node, lives.live);
        this.jobs = new JobClient(store.jobs(), store.jobViews(), options, store.bus(), store.transactionalJobs(),
                lives.jobs);
        this.settings = new QueueSettings(store.settings(), options.time(), jobs::override);
        this.limits = new LimitSettings(store.settings(), options.time(), jobs::overrideLimits);
        jobs.onForget(settings::forget);
        jobs.signEvents(new EventUrls(store.settings(), options.time(), options.publicUrl()));
        this.worker = new JobWorker(jobs, (user, value) -> live.users().to(user).send(value));
        this.pulls = new PullClaims(store.jobs(), jobs, options, lives.pulls);
        this.bulk = new BulkOperations(jobs, store.jobFinder(), options.time(), lives.bulk);
        this.schedules = new ScheduleEngine(store.schedules(), jobs, worker, options.node(), options.time(),
                lives.schedules);
        this.definitions = new ScheduleDefinitions(store.settings(), options.time(), schedules::define);
        this.settingsLoop = new SettingsLoop(List.of(settings, limits, definitions), store.settings().isShared(),
                store.bus(), options.time(), lives.settings);
        this.nodes = new NodeDirectory(options.node(), store.bus(), options.time(), ProgramVersion.current(),
                new Work(worker, live), lives.nodes);
        live.join(nodes.questions());
        this.history = new HistoryReader(store.history(), options.time());
        this.backups = new StoreBackups(store.backup());
        this.stores = new StoreWatch(store.parts(), options.time(), lives.stores);
    }

    /** Start and end of the parts, which their views do not show. */
    private static final class Lives {
        private final Lifecycle jobs = new Lifecycle();
        private final Lifecycle settings = new Lifecycle();
        private final Lifecycle pulls = new Lifecycle();
        private final Lifecycle bulk = new Lifecycle();
        private final Lifecycle schedules = new Lifecycle();
        private final Lifecycle live = new Lifecycle();
        private final Lifecycle nodes = new Lifecycle();
        private final Lifecycle stores = new Lifecycle();
    }

    /** The work of this node. */
    private record Work(JobWorker worker, LiveEngine live) implements NodeWork {
        @Override
        public int running() {
            return worker.running();
        }

        @Override
        public int users() {
            return live.onlineHere();
        }

        @Override
        public boolean isDraining() {
            return worker.isDraining();
        }

        @Override
        public void drain(boolean on) {
            worker.drain(on);
        }
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
        return new Orderly(store, options, live);
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

    /** Declares a limit over all nodes, before the queues that name it. As {@link JobClient#limit}. */
    public void limit(String name, Limit limit) {
        jobs.limit(name, limit);
    }

    /** A standard queue with the default options. As {@link JobClient#queue}. */
    public <T> StandardQueue<T> queue(String name, Class<T> type) {
        return queue(name, type, UnaryOperator.identity());
    }

    /**
     * A standard queue, with changes to the default options of its kind. As {@link JobClient#queue}.
     *
     * {@snippet :
     * orderly.queue("reports", Report.class, o -> o.withConcurrency(4).withTimeout(Duration.ofMinutes(30)));
     * }
     */
    public <T> StandardQueue<T> queue(String name, Class<T> type, UnaryOperator<QueueOptions> options) {
        return jobs.queue(name, type, changed(name, options));
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
        return jobs.queue(name, type.getType(), changed(name, options));
    }

    /** As {@link JobClient#queue(String, PayloadTypes, QueueOptions)}, with the default options. */
    public <T> StandardQueue<T> queue(String name, PayloadTypes<T> types) {
        return queue(name, types, UnaryOperator.identity());
    }

    /** As {@link JobClient#queue(String, PayloadTypes, QueueOptions)}. */
    public <T> StandardQueue<T> queue(String name, PayloadTypes<T> types, UnaryOperator<QueueOptions> options) {
        Objects.requireNonNull(types, "types");
        return jobs.queue(name, types, changed(name, options));
    }

    /** A FIFO queue with the default options; its name ends in {@code .fifo}. As {@link JobClient#fifo}. */
    public <T> FifoQueue<T> fifo(String name, Class<T> type) {
        return fifo(name, type, UnaryOperator.identity());
    }

    /** A FIFO queue, with changes to the default options of its kind. As {@link JobClient#fifo}. */
    public <T> FifoQueue<T> fifo(String name, Class<T> type, UnaryOperator<QueueOptions> options) {
        return jobs.fifo(name, type, changed(name, options));
    }

    /** As {@link #fifo(String, Class)}, for a generic type. */
    public <T> FifoQueue<T> fifo(String name, TypeReference<T> type) {
        return fifo(name, type, UnaryOperator.identity());
    }

    /** As {@link #fifo(String, TypeReference)}, with changes to the default options. */
    public <T> FifoQueue<T> fifo(String name, TypeReference<T> type, UnaryOperator<QueueOptions> options) {
        return jobs.fifo(name, type.getType(), changed(name, options));
    }

    /** As {@link JobClient#fifo(String, PayloadTypes, QueueOptions)}, with the default options. */
    public <T> FifoQueue<T> fifo(String name, PayloadTypes<T> types) {
        return fifo(name, types, UnaryOperator.identity());
    }

    /** As {@link JobClient#fifo(String, PayloadTypes, QueueOptions)}. */
    public <T> FifoQueue<T> fifo(String name, PayloadTypes<T> types, UnaryOperator<QueueOptions> options) {
        Objects.requireNonNull(types, "types");
        return jobs.fifo(name, types, changed(name, options));
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
        return jobs.batches().opening(name);
    }

    /** Attaches the handler of a queue; closing the registration detaches it. As {@link JobWorker#handle}. */
    public <T> Registration handle(JobQueue<T> queue, Handler<T> handler) {
        Objects.requireNonNull(handler, "handler");
        return worker.<T>handle(queue, (payload, job) -> ScopedValue.where(CURRENT, this).call(() -> {
            handler.handle(payload, job);
            return true;
        }));
    }

    /**
     * Attaches a handler that gets up to {@code most} jobs of a standard queue in one call, each settled by itself. As
     * {@link JobWorker#handleBatch}.
     */
    public <T> Registration handleBatch(StandardQueue<T> queue, int most, BatchHandler<T> handler) {
        Objects.requireNonNull(handler, "handler");
        return worker.handleBatch(queue, most, jobs -> ScopedValue.where(CURRENT, this).call(() -> {
            handler.handle(jobs);
            return true;
        }));
    }

    /** Runs a handler at the instants of a timing, once over all nodes. As {@link ScheduleEngine#handle}. */
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
        return schedules.handle(new ScheduleName(name), timing, options.apply(schedules.optionsFor(timing)),
                run -> ScopedValue.where(CURRENT, this).call(() -> {
                    handler.handle(run);
                    return true;
                }));
    }

    /** Pushes a job at the instants of a timing, once over all nodes. As {@link ScheduleEngine#declare}. */
    public <T> Registration schedule(String name, Timing timing, StandardQueue<T> queue, T payload) {
        Objects.requireNonNull(name, "name");
        return schedules.declare(new ScheduleName(name), timing, jobs.request(queue, payload));
    }

    /** As {@link #schedule(String, Timing, StandardQueue, Object)}, into one group. */
    public <T> Registration schedule(String name, Timing timing, FifoQueue<T> queue, String group, T payload) {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(name, "name");
        return schedules.declare(new ScheduleName(name), timing, jobs.request(queue, payload).withGroup(group));
    }

    /** Starts the handlers and the schedules. As {@link JobWorker#start}. */
    public void start() {
        lives.stores.start();
        settingsLoop.load();
        worker.start();
        lives.settings.start();
        lives.pulls.start();
        lives.schedules.start();
        lives.live.start();
        lives.nodes.start();
    }

    /**
     * Whether each part of the store answers this node, watched from {@link #start} on. A part that is this node's own
     * fails for this node alone; the outage of a shared part is one of {@link #warnings}.
     */
    public StoreWatch stores() {
        return stores;
    }

    /**
     * Stalled background work of jobs, schedules and presence. As {@link JobWorker#stalls}; empty while
     * {@linkplain StoreWatch#explainsDelays an outage of a shared store explains} it.
     */
    public List<String> stalls() {
        if (stores.explainsDelays()) {
            return List.of();
        }
        return Stream
                .of(worker.stalls(), settingsLoop.stall().stream().toList(), pulls.stall().stream().toList(),
                        schedules.stalls(), live.stalls(),
                        nodes.stall().stream().toList())
                .flatMap(List::stream).toList();
    }

    /**
     * Present faults that no other node would be spared, as lines for the operator; empty when all is well: outages of
     * a shared store, a full queue of its notifications, and schedules that no live node declares. Answers from memory.
     */
    public List<String> warnings() {
        return Stream.of(stores.sharedOutages().stream().map(StoreWatch.Outage::line), store.bus().fault().stream(),
                schedules.undeclaredLately().stream().map(name -> "schedules: no live node declares " + name
                        + ", so that nobody fires it: start a node that declares it"))
                .flatMap(Function.identity()).toList();
    }

    /** As {@link JobWorker#sinceBeat}. */
    public Duration sinceBeat() {
        return worker.sinceBeat();
    }

    /** The client for everything else about jobs: raw pushes, views, pausing, redriving, cancelling. */
    public JobClient jobs() {
        return jobs;
    }

    /** The claims of workers elsewhere, for queues declared with {@link JobClient#pull}. */
    public PullClaims pulls() {
        return pulls;
    }

    /** Search over jobs, dead letters by error, and groups of FIFO queues. */
    public JobFinder finder() {
        return store.jobFinder();
    }

    /** Redriving and cancelling many jobs, on this node. */
    public BulkOperations bulk() {
        return bulk;
    }

    /** The settings of queues that operators change over all nodes; in force from {@link #start} on. */
    public QueueSettings settings() {
        return settings;
    }

    /** The schedules that are made, changed and removed at run time; in force from {@link #start} on. */
    public ScheduleDefinitions scheduleDefinitions() {
        return definitions;
    }

    /** The bounds of limits that operators change over all nodes; in force from {@link #start} on. */
    public LimitSettings limitSettings() {
        return limits;
    }

    /** What keeps a job from running, as this node sees it. Blocks on the store. */
    public JobDiagnosis why(JobId job) {
        Objects.requireNonNull(job, "job");
        return new JobDiagnostics(jobs, worker, store.jobViews()).of(job);
    }

    /** What keeps the callback of a batch from coming, as this node sees it. Blocks on the store. */
    public BatchDiagnosis why(BatchName batch) {
        Objects.requireNonNull(batch, "batch");
        return new BatchDiagnostics(jobs, worker, store.jobViews()).of(batch);
    }

    /** The engine for everything else about schedules: views, manual runs. */
    public ScheduleEngine schedules() {
        return schedules;
    }

    /** The instances on this store, this one first. */
    public NodeDirectory nodes() {
        return nodes;
    }

    /** The history of queues and rooms, as far as nodes record it in this store. */
    public HistoryReader history() {
        return history;
    }

    /** Backups of the store while it is in use. */
    public StoreBackups backups() {
        return backups;
    }

    /** The users that are connected to any instance on this store, through the transports of {@link #live}. */
    public Users users() {
        return live.users().withHandlersIn(handler -> message -> ScopedValue.where(CURRENT, this).call(() -> {
            handler.handle(message);
            return true;
        }));
    }

    /** The engine to which transports hand their connections. */
    public LiveEngine live() {
        return live;
    }

    /**
     * Starts no further job, stops bulk operations and schedules, then the jobs as {@link JobWorker#stop} says, then
     * closes live connections, so that users receive the messages of the last jobs. The store stays open for views.
     * Idempotent.
     */
    public void stop() {
        worker.drain(true);
        lives.nodes.announceEnd();
        lives.bulk.end();
        lives.schedules.end();
        lives.pulls.end();
        worker.stop();
        lives.settings.end();
        lives.jobs.end();
        lives.live.end();
        lives.nodes.end();
        lives.stores.end();
    }

    /** Stops as {@link #stop} says, then closes the store. Idempotent. */
    @Override
    public void close() {
        stop();
        store.close();
    }
}
