package dev.orderly.job;

import dev.orderly.flow.Loop;
import dev.orderly.store.Bus;
import dev.orderly.store.StoreException;
import dev.orderly.user.UserId;
import dev.orderly.user.UserScope;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queues of one node: takes pushes, runs handlers, and keeps the store in order. Thread-safe.
 *
 * <p>Pushing needs no {@link #start}; a node that only pushes never starts. Operations block until the store has
 * answered and throw {@link StoreException} when it cannot.
 */
public final class JobEngine {
    /** The most jobs one bulk push takes. */
    public static final int BULK_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(JobEngine.class);
    private static final Duration WATCH = Duration.ofMillis(100);
    private static final Duration HARD_STOP = Duration.ofSeconds(5);

    private final JobStore store;
    private final JobViews views;
    private final EngineOptions options;
    private final UserMessages messages;
    private final PayloadCodec codec;
    private final ConcurrentMap<QueueName, DeclaredQueue> queues = new ConcurrentHashMap<>();
    private final ChangeListeners listeners;
    private final RunningJobs running;
    private final Pusher pusher;
    private final Settler settler;
    private final ClaimLoop claims;
    private final WorkHints hints;
    private final Membership membership;
    private final Upkeep upkeep;
    private final ProgressReports progress;
    /** Ends what is overdue, and never waits for the store. */
    private final Loop watch;
    private final EngineHealth health;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NEW);

    private enum Phase {
        NEW, STARTED, STOPPING
    }

    /** The engine of a node that is the only one, whose jobs reach no users. */
    public JobEngine(JobStore store, JobViews views, EngineOptions options) {
        this(store, views, options, Bus.ALONE, UserMessages.NONE);
    }

    /** @param messages takes what jobs send to their users */
    public JobEngine(JobStore store, JobViews views, EngineOptions options, Bus bus, UserMessages messages) {
        this.messages = messages;
        this.store = store;
        this.views = views;
        this.options = options;
        this.listeners = new ChangeListeners(options.time());
        this.codec = new PayloadCodec(options.json(), options.readers());
        this.running = new RunningJobs(options.time());
        this.settler = new Settler(store, options.time(), options.node());
        LineRunner runner = new LineRunner(this, options, codec, running, settler);
        this.claims = new ClaimLoop(store, options, queues, running, runner);
        this.hints = new WorkHints(claims, bus, queues);
        this.pusher = new Pusher(store, views, options.time(), queues, hints::tell);
        this.membership = new Membership(store, options, running, claims);
        this.upkeep = new Upkeep(store, options, queues, claims);
        this.progress = new ProgressReports(store, options, running, this::changed);
        this.watch = new Loop("watch", options.time(), () -> {
            running.endOverdue();
            return WATCH;
        });
        this.health = new EngineHealth(running.lease(), settler, Stream.concat(membership.loops().stream(),
                Stream.of(claims.loop(), progress.loop(), watch)), upkeep.loop());
    }

    // ---- declaring and handling

    /**
     * Declares a standard queue. Declaring it again with the same type and options gives the same queue.
     *
     * @param type what handlers take: a class, or a generic type as Jackson's {@code TypeReference} gives it
     * @throws IllegalArgumentException if the name breaks {@link QueueName}'s rule or ends in {@code .fifo}
     * @throws IllegalStateException if it was declared otherwise before
     */
    public <T> Queue<T> queue(String name, Type type, QueueOptions queueOptions) {
        QueueName queue = new QueueName(name);
        if (queue.isFifo()) {
            throw new IllegalArgumentException(
                    "Queue " + name + " is FIFO by its name: declare it with fifo(), or drop the .fifo");
        }
        declare(queue, type, queueOptions);
        return new Queue<>(this, queue);
    }

    /** Declares a FIFO queue; its name ends in {@code .fifo}. Otherwise as {@link #queue}. */
    public <T> FifoQueue<T> fifo(String name, Type type, QueueOptions queueOptions) {
        QueueName queue = new QueueName(name);
        if (!queue.isFifo()) {
            throw new IllegalArgumentException(
                    "Queue " + name + " is not FIFO by its name: end the name in .fifo, or declare it with queue()");
        }
        declare(queue, type, queueOptions);
        return new FifoQueue<>(this, queue);
    }

    /**
     * Lets this node work a queue. Before or after {@link #start}.
     *
     * @throws IllegalStateException if the queue has a handler
     */
    @SuppressWarnings("unchecked") // the codec reads every payload as the type the queue was declared with, which is T
    public <T> void handle(JobQueue<T> queue, Handler<? super T> handler) {
        DeclaredQueue declared = declared(queue.name());
        if (!declared.handleWith((Handler<Object>) (Handler<?>) handler)) {
            throw new IllegalStateException("Queue " + queue.name() + " has a handler already: attach one only");
        }
        claims.hint(declared);
    }

    // ---- pushing

    /**
     * Stores one job.
     *
     * @throws PushRefused if a rule of the queue is broken; nothing was stored
     */
    public PushResult push(PushRequest request) {
        return pushAll(List.of(request)).getFirst();
    }

    /**
     * Stores jobs, all or none, in list order; answers in that order. They belong to the user of the {@link UserScope}
     * unless their request names another.
     *
     * @param requests 1 to {@value #BULK_MAX}
     * @throws PushRefused if any of them breaks a rule of its queue, naming its place in the list; nothing was stored
     */
    public List<PushResult> pushAll(List<PushRequest> requests) {
        return pusher.push(requests, UserScope.current().map(UserId::value).orElse(null));
    }

    /**
     * The push of a payload, to be changed or kept for later.
     *
     * @throws PushRefused if Jackson cannot write the payload
     */
    public <T> PushRequest request(JobQueue<T> queue, T payload) {
        return new Push<T>(this, queue.name().value()).with(payload);
    }

    /**
     * Checks a push by the rules of its queue, without storing it: for those who store it together with something of
     * their own and then say {@link #stored}. The user of the {@link UserScope} does not count.
     *
     * @throws PushRefused if a rule of the queue is broken
     */
    public NewJob check(PushRequest request) {
        return pusher.check(request);
    }

    /** Lets the queue look for a job that was checked and is durable now. */
    public void stored(NewJob job) {
        pusher.told(List.of(job));
    }

    // ---- looking and operating

    public Optional<JobView> find(JobId id) {
        return views.find(id);
    }

    /** As {@link JobViews#list}. */
    public List<JobView> list(QueueName queue, JobState state, @Nullable JobId after, int limit) {
        return views.list(queue, state, after, limit);
    }

    /**
     * Where a waiting job stands; empty for one in another state. How fast lines move is measured on this node, for the
     * queues it works.
     */
    public Optional<Place> place(JobView job) {
        if (job.state() != JobState.WAITING) {
            return Optional.empty();
        }
        int ahead = views.ahead(job.id(), JobViews.AHEAD_MAX);
        DeclaredQueue queue = queues.get(job.queue());
        return Optional
                .of(new Place(ahead, ahead == JobViews.AHEAD_MAX, queue == null ? null : queue.waitBehind(ahead)));
    }

    /** Has a listener told of each job that changes on this node, once that can be seen; it must not block or throw. */
    public void onChange(Consumer<JobId> listener) {
        listeners.add(listener);
    }

    /** The settings of a queue declared here; empty for every other name. Answers from memory, without waiting. */
    public Optional<QueueOptions> options(QueueName queue) {
        return Optional.ofNullable(queues.get(queue)).map(declared -> declared.options);
    }

    /** The queues declared here and those that hold jobs, by name. */
    public List<QueueStatus> queues() {
        List<QueueView> all = new ArrayList<>(views.queues());
        Set<QueueName> seen = all.stream().map(QueueView::queue).collect(Collectors.toCollection(HashSet::new));
        queues.keySet().stream().filter(seen::add).map(QueueView::empty).forEach(all::add);
        return all.stream().map(this::status).sorted((a, b) -> a.view().queue().compareTo(b.view().queue())).toList();
    }

    public void pause(QueueName queue, boolean paused) {
        store.pause(queue, paused);
        if (paused) {
            hint(queue);
        } else {
            hints.tellResumed(queue);
        }
    }

    /** As {@link JobStore#redrive}. */
    public int redrive(QueueName queue, List<JobId> ids, int limit) {
        int redriven = store.redrive(queue, ids, limit, options.time().now());
        hint(queue);
        return redriven;
    }

    /** As {@link JobStore#cancel}; a job that runs on this node is signalled at once. */
    public CancelResult cancel(JobId id) {
        if (running.interrupt(id, CancellationSignal.Reason.CANCELLED)) {
            return CancelResult.SIGNALLED;
        }
        CancelResult result = store.cancel(id, options.time().now());
        queues.values().forEach(claims::hint);
        changed(id);
        return result;
    }

    /** This node's wall clock. */
    public Instant now() {
        return options.time().now();
    }

    // ---- life

    /**
     * Starts working the queues that have handlers: makes the node known, gives back what a dead one left, claims.
     *
     * @throws StoreException if the store cannot be reached; the engine may be started again later
     * @throws IllegalStateException if it was started or stopped before
     */
    public void start() {
        membership.beat();
        upkeep.round();
        if (!phase.compareAndSet(Phase.NEW, Phase.STARTED)) {
            throw new IllegalStateException("The job engine is " + phase.get() + ": start one once");
        }
        membership.start();
        upkeep.start();
        watch.start();
        progress.start();
        claims.start();
    }

    /**
     * Stops: claims nothing more, waits for running handlers as long as {@link EngineOptions#stopGrace} says, interrupts
     * the rest, gives back uncounted what does not end within 5 seconds more. Idempotent; pushes fail afterwards with
     * {@link IllegalStateException}.
     */
    public void stop() {
        Phase before = phase.getAndSet(Phase.STOPPING);
        if (before == Phase.STARTED) {
            claims.stop(HARD_STOP);
            if (!running.awaitNone(options.stopGrace())) {
                LOG.warn("{} jobs still run after {}: they are interrupted and go back", running.all().size(),
                        options.stopGrace());
                running.interruptAll(CancellationSignal.Reason.STOPPING);
                running.awaitNone(HARD_STOP);
            }
        }
        if (before != Phase.STOPPING) {
            settler.close(HARD_STOP);
            if (before == Phase.STARTED) {
                releaseAll();
            }
            pusher.close(HARD_STOP);
            watch.stop(HARD_STOP);
            progress.stop(HARD_STOP);
            upkeep.stop(HARD_STOP);
            membership.stop(HARD_STOP);
        }
    }

    /** What of a started engine stands still, a line for the operator each; none if all goes on. Answers from memory. */
    public List<String> stalls() {
        return phase.get() == Phase.STARTED ? health.stalls() : List.of();
    }

    // ---- for the parts

    boolean isStopping() {
        return phase.get() == Phase.STOPPING;
    }

    /** @throws IllegalArgumentException if Jackson cannot write the value */
    Payload encode(Object value) {
        return codec.encode(value);
    }

    NodeId node() {
        return options.node();
    }

    void send(UserId user, Object value) {
        messages.send(user, value);
    }

    /** The store took an ending: what it means for what can be claimed next. */
    void settled(DeclaredQueue queue, Ending ending) {
        boolean over = LineRunner.isFinal(ending);
        if (over) {
            queue.drained.mark(1);
        }
        if (queue.name.isFifo() || !over) {
            claims.hint(queue);
        }
    }

    void changed(JobId job) {
        listeners.tell(job);
    }

    void lineEnded(DeclaredQueue queue) {
        claims.freed(queue);
    }

    void reportProgress(Job job) {
        progress.report(List.of(job));
    }

    private void declare(QueueName name, Type type, QueueOptions queueOptions) {
        DeclaredQueue queue = new DeclaredQueue(name, queueOptions, codec.typeOf(type), options.time());
        DeclaredQueue before = queues.putIfAbsent(name, queue);
        if (before != null && (!before.options.equals(queueOptions) || !before.type.equals(queue.type))) {
            throw new IllegalStateException("Queue " + name + " is declared twice: as " + before.type.toCanonical()
                    + " with " + before.options + ", and as " + queue.type.toCanonical() + " with " + queueOptions);
        }
    }

    private DeclaredQueue declared(QueueName name) {
        DeclaredQueue queue = queues.get(name);
        if (queue == null) {
            throw new IllegalStateException("Queue " + name + " is not declared here");
        }
        return queue;
    }

    private void hint(QueueName name) {
        Optional.ofNullable(queues.get(name)).ifPresent(hints::tell);
    }

    private QueueStatus status(QueueView view) {
        DeclaredQueue queue = queues.get(view.queue());
        if (queue == null) {
            return new QueueStatus(view, null, false, 0, null);
        }
        double rate = queue.drained.perSecond();
        Duration drain = rate < DeclaredQueue.RATE_MIN
                ? null
                : Duration.ofMillis((long) (view.waiting() / rate * 1000));
        return new QueueStatus(view, queue.options, queue.handler() != null, rate, drain);
    }

    /** What still runs although it was interrupted goes back; its late ending will not be taken. */
    private void releaseAll() {
        try {
            store.release(options.node(), Set.of(), options.time().now());
        } catch (StoreException e) {
            LOG.error("Jobs could not be given back, upkeep of another node will: {}", e.getMessage());
        }
    }
}
