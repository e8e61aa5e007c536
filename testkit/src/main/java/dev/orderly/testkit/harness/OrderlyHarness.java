package dev.orderly.testkit.harness;

import dev.orderly.Orderly;
import dev.orderly.job.EventResult;
import dev.orderly.job.JobEvent;
import dev.orderly.job.JobId;
import dev.orderly.job.JobQueue;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobView;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.UpkeepRequest;
import dev.orderly.job.store.UpkeepRequest.Retention;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Drives an instance of Orderly in a test: the store is in memory, and time moves only when the test moves it.
 *
 * {@snippet :
 * try (OrderlyHarness harness = OrderlyHarness.open()) {
 *     StandardQueue<Email> emails = harness.orderly().queue("emails", Email.class);
 *     harness.orderly().handle(emails, (email, job) -> mailServer.send(email));
 *     harness.orderly().start();
 *     JobId id = emails.push(new Email("ada@example.com"));
 *     harness.drain();                            // the first attempt fails
 *     harness.advance(Duration.ofMinutes(10));    // its retries run, each at its own moment
 *     assertEquals(JobState.DONE, harness.job(id).state());
 * }
 * }
 *
 * <p>Not for handlers that block until the test goes on, as in a test of a timeout: such a queue is never idle. Use
 * {@link ManualTime#advance} there, then {@link #drain}.
 *
 * <p>{@link #drain} and {@link #advance} belong to the thread of the test; everything else is thread-safe.
 */
public final class OrderlyHarness implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    /** Steps of the manual clock and pauses of the machine's clock while handlers run, and while none does. */
    private static final Duration STEP_BUSY = Duration.ofMillis(10);
    private static final Duration PAUSE_BUSY = Duration.ofMillis(2);
    private static final Duration STEP = Duration.ofMillis(20);
    private static final Duration PAUSE = Duration.ofNanos(200_000);
    /** A step of the manual clock while nothing is left to do: a quarter of a node's lease. */
    private static final Duration STEP_IDLE = Duration.ofSeconds(5);
    /** A longer wait is a leap, but for its last part. */
    private static final Duration STEPPED_MAX = Duration.ofHours(1);
    private static final Duration STEPPED_LAST = Duration.ofSeconds(30);

    private final Orderly orderly;
    private final PushRecorder store;
    private final ManualTime time;
    private final Idleness idleness;

    private OrderlyHarness(Orderly orderly, PushRecorder store, ManualTime time) {
        this.orderly = orderly;
        this.store = store;
        this.time = time;
        idleness = new Idleness(orderly, time);
    }

    /** A new instance on a new {@link MemoryStore}, with clocks of its own and the same random numbers every time. */
    public static OrderlyHarness open() {
        ManualTime time = new ManualTime();
        PushRecorder store = new PushRecorder(new MemoryStore(time));
        EngineOptions options = EngineOptions.defaults().withTime(time).withRandom(new Random(1))
                .withStopGrace(Duration.ZERO);
        return new OrderlyHarness(Orderly.open(store, options), store, time);
    }

    /**
     * A harness for an instance that something else has opened, such as a framework.
     *
     * @param store the store of the instance
     * @param time the clocks in the instance's options
     */
    public static OrderlyHarness of(Orderly orderly, PushRecorder store, ManualTime time) {
        Objects.requireNonNull(orderly, "orderly");
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(time, "time");
        return new OrderlyHarness(orderly, store, time);
    }

    /** The instance that the harness drives. */
    public Orderly orderly() {
        return orderly;
    }

    /** The clocks of the instance. */
    public ManualTime time() {
        return time;
    }

    /**
     * Returns when nothing runs and nothing is ready: each job has ended, or waits for a later moment, for an operator,
     * for a worker elsewhere, or for a handler that this instance does not have. Moves time by the fractions of a
     * second that the engine's own pauses take, at most ten times as fast as the machine's clock while a handler runs.
     *
     * @throws IllegalStateException if jobs are ready and the instance is not started: call {@link Orderly#start}
     * @throws AssertionError if jobs still run or wait after a minute; the message names one and what keeps it
     */
    public void drain() {
        Time machine = Time.system();
        long end = machine.deadline(PATIENCE);
        Optional<Idleness.Busy> busy = idleness.busy();
        while (busy.isPresent()) {
            if (machine.reached(end)) {
                throw new AssertionError("Jobs still run or wait after " + PATIENCE + ": " + busy.get().sentence());
            }
            boolean running = busy.get().running();
            machine.park(machine.deadline(running ? PAUSE_BUSY : PAUSE));
            time.advance(running ? STEP_BUSY : STEP);
            busy = idleness.busy();
        }
    }

    /**
     * Drains, lets this much time pass, and drains again. Time stops at each moment at which a delayed job or a
     * schedule is due, and what is due runs to its end, so that retries follow each other at the distances of their
     * policy. Takes as many rounds as there are such moments. A wait of more than an hour without such a moment
     * is a leap: the instance takes its process for suspended, says so in the log, and goes on.
     *
     * @throws IllegalArgumentException if {@code step} is negative: use {@link ManualTime#jump} to set the wall clock
     *     back
     */
    public void advance(Duration step) {
        if (step.isNegative()) {
            throw new IllegalArgumentException("A step of time is " + step + ": use zero or more");
        }
        drain(); // lets time pass, too
        Instant target = time.now().plus(step);
        for (Optional<Instant> next = next(target); next.isPresent(); next = next(target)) {
            idleUntil(next.get());
            drain();
        }
        idleUntil(target);
        drain();
    }

    /** In steps, since an instance whose clock leaps takes its process for suspended and gives its lease up. */
    private void idleUntil(Instant target) {
        Duration whole = Duration.between(time.now(), target);
        if (whole.compareTo(STEPPED_MAX) > 0) {
            time.advance(whole.minus(STEPPED_LAST));
        }
        Time machine = Time.system();
        Duration rest = Duration.between(time.now(), target);
        while (rest.isPositive()) {
            time.advance(rest.compareTo(STEP_IDLE) > 0 ? STEP_IDLE : rest);
            machine.park(machine.deadline(PAUSE));
            rest = Duration.between(time.now(), target);
        }
    }

    private Optional<Instant> next(Instant target) {
        return idleness.nextDue().filter(due -> due.isBefore(target));
    }

    /**
     * Loses all workers at once, as if their processes were killed: the attempts that run now can no longer report
     * their end, their handlers are interrupted, and {@link #drain} runs their jobs again. Called by a fake that a
     * handler uses, it loses the worker after the effect and before the end of the job is stored. The same instance
     * then goes on as another worker.
     *
     * <p>Not counted as a crash, since the worker returns. To lose what a killed process would lose in memory, use
     * {@link MemoryStore#crash}.
     */
    public void crashWorkers() {
        store.jobs().upkeep(new UpkeepRequest(Duration.ofSeconds(-1), Integer.MAX_VALUE, Map.of(), Retention.DEFAULT,
                Integer.MAX_VALUE), time.now());
    }

    /** All jobs pushed so far, those of handlers and schedules included, in the order of their pushes. */
    public List<PushedJob> pushed() {
        return store.pushed();
    }

    /** The jobs pushed to one queue so far, in the order of their pushes. */
    public List<PushedJob> pushed(JobQueue<?> queue) {
        return store.pushed().stream().filter(job -> job.queue().equals(queue.name())).toList();
    }

    /**
     * A job as it is now.
     *
     * @throws NoSuchElementException if the store does not keep the job, or never did
     */
    public JobView job(JobId id) {
        return orderly.jobs().find(id)
                .orElseThrow(() -> new NoSuchElementException("Job " + id + " is not in the store of this harness"));
    }

    /**
     * Sends an event to a job, as a person or another system would, and drains: a job that awaits it goes on.
     *
     * @param value as a value of {@link dev.orderly.job.engine.Jobs#event(JobId, String, Object)}
     * @throws IllegalStateException if the job takes no event any more, or has too many
     * @throws NoSuchElementException if the store does not keep the job, or never did
     */
    public void event(JobId id, String name, Object value) {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(value, "value");
        JobView job = job(id);
        EventResult result = orderly.jobs().event(id, name, value);
        if (!result.isKept()) {
            throw new IllegalStateException("Event " + name + " is not taken (" + result + ") by job " + id
                    + ", which is " + job.state().text());
        }
        drain();
    }

    /**
     * The names of the events for which a job waits now; empty if it does not wait.
     *
     * @throws NoSuchElementException if the store does not keep the job, or never did
     */
    public Set<String> awaited(JobId id) {
        JobView job = job(id);
        return orderly.jobs().events(id).stream().filter(event -> event.isAwaitedBy(job)).map(JobEvent::name)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * The steps that a job has done, in their order.
     *
     * @throws NoSuchElementException if the store does not keep the job, or never did
     */
    public List<JobStep> steps(JobId id) {
        return orderly.jobs().steps(job(id).id());
    }

    /** Closes the instance and its store. Running handlers are interrupted at once. */
    @Override
    public void close() {
        orderly.close();
    }
}
