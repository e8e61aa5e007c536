package dev.orderly.testkit.jobsim;

import dev.orderly.Orderly;
import dev.orderly.Registration;
import dev.orderly.Store;
import dev.orderly.job.Batch;
import dev.orderly.job.FifoQueue;
import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.JobState;
import dev.orderly.job.NodeId;
import dev.orderly.job.Push;
import dev.orderly.job.PushRefusedException;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueName;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.JobObserver;
import dev.orderly.job.store.JobViews;
import dev.orderly.schedule.Timing;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoreObserver;
import dev.orderly.store.StoreOperation;
import dev.orderly.store.StorePromise;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A process with an engine: it starts, runs, may be paused, and stops or dies. */
final class SimulatedNode implements Executor {
    static final String SCHEDULE = "tick";
    static final Duration EVERY = Duration.ofSeconds(7);

    final NodeId id;
    final SimulatedTime time;
    final SimulatedLink link;
    private final Turns turns;
    private final JobReferee referee;
    private final SimulatedQueues queues;
    private final SimulatedBus bus;
    private final Store store;
    /** Of the store itself, without the way to it. */
    private final JobViews views;
    private final SimulatedHandler handler;
    private final Map<String, Registration> handlers = new TreeMap<>();
    private final List<Runnable> held = new ArrayList<>();
    private @Nullable Orderly orderly;
    private State state = State.STARTING;
    private boolean frozen;
    private boolean suspended;
    private long frozenAt;
    private Instant frozenWall = Instant.EPOCH;
    private long deceivedAt = Long.MIN_VALUE;
    private @Nullable Moment beatAnswered;
    private long lostAt = Long.MIN_VALUE;
    private long thawedAt = Long.MIN_VALUE / 2;

    /** The life of a node. */
    enum State {
        STARTING, WORKING, STOPPING, GONE
    }

    SimulatedNode(String name, Turns turns, JobReferee referee, Store store, SimulatedBus bus) {
        this.id = new NodeId(name);
        this.turns = turns;
        this.referee = referee;
        this.queues = referee.queues;
        this.bus = bus;
        this.time = new SimulatedTime(turns, this);
        this.views = store.jobViews();
        this.handler = new SimulatedHandler(this, turns, referee);
        this.link = new SimulatedLink(turns, this, referee);
        this.store = Store.observed(new RemoteStore(store, link, bus.join(this),
                new SimulatedTime(turns, Runnable::run)), judged(referee), JobObserver.NONE);
    }

    // ---- threads

    @Override
    public void execute(Runnable task) {
        if (state == State.GONE) {
            return;
        }
        if (frozen) {
            held.add(task);
        } else {
            turns.ready(this, task);
        }
    }

    /** Runs something on a thread of this node. */
    void start(String name, Runnable task) {
        if (state == State.GONE) {
            return;
        }
        Turns.threads(this).name(name).start(() -> {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                referee.broken("A thread of " + id + " failed", e);
            }
        });
    }

    /** @param suspends whether the machine is suspended: its monotonic clock stands still as well */
    void freeze(boolean suspends) {
        if (!frozen && state != State.GONE) {
            frozen = true;
            suspended = suspends;
            frozenAt = turns.now();
            frozenWall = time.now();
            held.addAll(turns.takeOut(this));
        }
    }

    void thaw() {
        if (frozen) {
            frozen = false;
            thawedAt = turns.now();
            if (suspended) {
                time.slept(thawedAt - frozenAt);
                if (Duration.between(frozenWall, time.now()).toNanos() < thawedAt - frozenAt) {
                    deceivedAt = thawedAt;
                }
            }
            held.forEach(task -> turns.ready(this, task));
            held.clear();
        }
    }

    /** The process dies: its threads never take a turn again. */
    void crash() {
        state = State.GONE;
        turns.takeOut(this);
        held.clear();
        bus.leave(this);
        referee.died(this);
    }

    boolean isFrozen() {
        return frozen;
    }

    State state() {
        return state;
    }

    boolean isWorking() {
        return state == State.WORKING;
    }

    /** A moment by the true time and by both clocks of the machine. */
    record Moment(long at, long nanos, Instant wall) {}

    Moment moment() {
        return new Moment(turns.now(), time.nanos(), time.wall());
    }

    void beatAnswered(Moment sent) {
        if (turns.now() - lastBeat() >= JobReferee.LEASE) {
            lostAt = turns.now();
        }
        if (sent.at > lastBeat()) {
            beatAnswered = sent;
        }
    }

    /** The time since the last heartbeat was sent that the store answered, by the monotonic clock of the machine. */
    long silence() {
        return beatAnswered == null ? Long.MAX_VALUE : time.nanos() - beatAnswered.nanos;
    }

    /** The same by the clock of the machine that says more. */
    long longestSilence() {
        return beatAnswered == null
                ? Long.MAX_VALUE
                : Math.max(silence(), Duration.between(beatAnswered.wall, time.wall()).toNanos());
    }

    /**
     * Whether the node cannot know that its lease is over: its machine was suspended, and the wall clock was set back
     * by about that time. What it starts before its next heartbeat is not judged.
     */
    boolean isDeceived() {
        return turns.now() - lastBeat() >= JobReferee.LEASE && longestSilence() < JobReferee.LEASE;
    }

    /** The end of the last suspension of the machine that neither of its clocks shows, since one was set back. */
    long deceivedAt() {
        return deceivedAt;
    }

    /** When the store was reached again after a lease without it. */
    long lostAt() {
        return lostAt;
    }

    /** When the last heartbeat was sent that the store answered. */
    long lastBeat() {
        return beatAnswered == null ? Long.MIN_VALUE / 2 : beatAnswered.at;
    }

    /** When this process was last resumed after a pause. */
    long thawedAt() {
        return thawedAt;
    }

    // ---- the engine

    Orderly orderly() {
        Orderly engine = orderly;
        if (engine == null) {
            throw new IllegalStateException(id + " has not started");
        }
        return engine;
    }

    private static StoreObserver judged(JobReferee referee) {
        return new StoreObserver() {
            @Override
            public void called(StoreOperation operation, int items, long nanos, @Nullable StoreException failure) {
                // calls may take any time
            }

            @Override
            public void broken(StorePromise promise, String answer) {
                referee.broken(promise + ": " + answer, (Throwable) null);
            }
        };
    }

    /** Starts the engine, again and again while the store fails. */
    void open(long seed, Duration grace, boolean schedules) {
        Orderly engine = Orderly.open(store, EngineOptions.defaults().withTime(time).withRandom(new Random(seed))
                .withNode(id).withStopGrace(grace));
        orderly = engine;
        engine.limit(SimulatedQueues.SHARED, queues.shared());
        SimulatedQueues.NAMES.forEach(name -> {
            JobQueue<String> queue = SimulatedQueues.isFifo(name) ? fifo(name) : standard(name);
            if (SimulatedQueues.PULLED.contains(name)) {
                engine.engines().jobs().pull(queue);
            }
            attach(name);
        });
        if (schedules) {
            engine.schedule(SCHEDULE, Timing.every(EVERY), run -> {
                referee.schedule.fired(this, run.instant(), run.jobId());
                pause(200, false);
            });
        }
        while (state == State.STARTING) {
            try {
                engine.start();
                state = State.WORKING;
                referee.working(this);
            } catch (StoreException e) {
                pause(1_000, true);
            }
        }
    }

    void attach(String queue) {
        if (!SimulatedQueues.HANDLED.contains(queue)) {
            return;
        }
        handlers.computeIfAbsent(queue, name -> {
            referee.attached(this, name, true);
            Orderly engine = orderly();
            return SimulatedQueues.isFifo(name)
                    ? engine.handle(fifo(name), (payload, job) -> handler.handle(name, payload, job))
                    : engine.handle(standard(name), (payload, job) -> handler.handle(name, payload, job));
        });
    }

    void detach(String queue) {
        Registration handler = handlers.remove(queue);
        if (handler != null) {
            handler.close();
            referee.attached(this, queue, false);
        }
    }

    private FifoQueue<String> fifo(String name) {
        return orderly().fifo(name, String.class, _ -> queues.of(name));
    }

    private StandardQueue<String> standard(String name) {
        return orderly().queue(name, String.class, _ -> queues.of(name));
    }

    /** Pushes through this node. */
    Push.Answer push(String queue, Work work, @Nullable String dedupe, @Nullable String unique, @Nullable Batch batch) {
        String payload = work.payload();
        int cost = queues.cost(work);
        Map<String, String> params = batch == null ? Map.of() : Map.of(BatchReferee.WORK, payload);
        String group = SimulatedQueues.group(queue, work);
        if (group != null) {
            var plain = fifo(queue).group(group).cost(cost).params(params);
            var push = batch == null ? plain : plain.in(batch);
            return (dedupe == null ? push : push.dedupe(dedupe)).tryPush(payload);
        }
        var plain = standard(queue).cost(cost).params(params);
        var push = batch == null ? plain : plain.in(batch);
        return unique != null
                ? push.unique(unique).tryPush(payload)
                : dedupe == null ? push.tryPush(payload) : push.dedupe(dedupe).tryPush(payload);
    }

    /** The request for a push of a job. */
    PushRequest request(String queue, Work work) {
        JobQueue<String> named = SimulatedQueues.isFifo(queue) ? fifo(queue) : standard(queue);
        return orderly().jobs().request(named, work.payload()).withGroup(SimulatedQueues.group(queue, work))
                .withCost(queues.cost(work)).withParams(Map.of(BatchReferee.WORK, work.payload()));
    }

    /** Pushes a further member of the batch of a member that a worker elsewhere has, for that worker. */
    Push.Answer push(TrackedJob parent, Work child) {
        try {
            return new Push.Answer.Accepted(orderly().jobs().push(request(parent.work.queueOfChildren(), child)
                    .withBatch(referee.batches.link(child.batch())).withParent(parent.id)).id());
        } catch (PushRefusedException e) {
            return new Push.Answer.Refused(e);
        }
    }

    /** A running member pushes a further one, once. */
    void pushChild(TrackedJob parent, Work child, Supplier<Push.@Nullable Answer> push) {
        String queue = parent.work.queueOfChildren();
        String group = SimulatedQueues.group(queue, child);
        JobId before = group == null ? null : referee.groups.newest(queue, group);
        referee.jobs.sending(child);
        switch (push.get()) {
            case null -> {
            }
            case Push.Answer.Accepted(JobId id) -> {
                referee.pushed(this, id, queue, child, before, false);
                referee.batches.pushed(referee.jobs.get(id), parent);
            }
            case Push.Answer.Refused _ -> referee.batches.refused(this, child, parent);
            case Push.Answer other -> referee.broken("The push of member " + child.number() + ", which nobody has"
                    + " pushed before, is answered " + other, null);
        }
    }

    /** Sends a job its event through this node. */
    void send(JobId id, int value) {
        referee.events.sending(id, value);
        referee.eventAnswered(this, id, value, orderly().jobs().event(id, EventReferee.NAME, value));
    }

    /** Sends a job its event within a tenth of a second, while nothing fails. */
    void sendSoon(JobId id, int value) {
        turns.in(turns.random.nextInt(100) * 1_000_000L, () -> start("sender", () -> send(id, value)));
    }

    /** Stops in order, as at a deployment. */
    void stop() {
        if (state != State.WORKING) {
            return;
        }
        state = State.STOPPING;
        referee.stopping(this);
        int lost = link.lost();
        orderly().close();
        if (link.lost() == lost) {
            SimulatedQueues.NAMES.forEach(queue -> referee.left(this,
                    views.list(new QueueName(queue), JobState.RUNNING, null, 1_000)));
        }
        referee.stopped(this);
        bus.leave(this);
        state = State.GONE;
    }

    /** Waits on this node's clock; whether it was not interrupted. A stubborn wait takes no notice of interrupts. */
    boolean pause(long millis, boolean stubborn) {
        long deadline = time.deadline(Duration.ofMillis(millis));
        while (!time.reached(deadline)) {
            if (stubborn) {
                Thread.interrupted();
            } else if (Thread.currentThread().isInterrupted()) {
                return false;
            }
            time.park(deadline);
        }
        return true;
    }
}
