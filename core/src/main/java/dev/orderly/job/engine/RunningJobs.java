package dev.orderly.job.engine;

import dev.orderly.flow.Wakeup;
import dev.orderly.job.CancelResult;
import dev.orderly.job.CancellationSignal.Reason;
import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The jobs that this node holds and runs, with its lease, their payload bytes and their cancellation signals. Group
 * runs are as in {@link GroupRunner}. Thread-safe.
 */
final class RunningJobs {
    /** Time for a handler to end after its timeout, before the log says that it does not. */
    private static final Duration OBEYS = Duration.ofSeconds(30);

    private final Time time;
    private final StartGate gate;
    private final ConcurrentHashMap<JobId, RunningJob> jobs = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<JobId, Held> held = new ConcurrentHashMap<>();
    private final AtomicInteger runs = new AtomicInteger();
    private final UnreadableJobs passedOver;
    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();
    private final Wakeup emptied = new Wakeup();

    /** A held job, with the generation of the lease under which it was claimed. */
    private record Held(AttemptId attempt, long generation) {}

    /** @param bytesMax bound on payload bytes of running group runs; exceeded by one job at most */
    RunningJobs(Time time, long bytesMax, UnreadableJobs passedOver) {
        this.time = time;
        this.passedOver = passedOver;
        this.bytesMax = bytesMax;
        this.gate = new StartGate(time);
    }

    /** Decides which of the held jobs start. */
    StartGate gate() {
        return gate;
    }

    NodeLease lease() {
        return gate.lease();
    }

    /** The jobs that this node does not claim, since it cannot read them. */
    UnreadableJobs passedOver() {
        return passedOver;
    }

    void runStarted(List<ClaimedJob> run, long generation) {
        for (ClaimedJob job : run) {
            gate.held(job.attempt());
            held.put(job.id(), new Held(job.attempt(), generation));
        }
        bytes.addAndGet(bytesOf(run));
        runs.incrementAndGet();
    }

    /** Records that the store has accepted the outcome of the attempt, or never will. A newer attempt stays held. */
    void settled(AttemptId attempt) {
        held.computeIfPresent(attempt.id(), (_, job) -> job.attempt.equals(attempt) ? null : job);
        gate.left(attempt);
    }

    /** Jobs that were claimed and are not settled. */
    Set<JobId> held() {
        return Set.copyOf(held.keySet());
    }

    /**
     * Attempts that are held and do not run: their handlers have not begun, or their outcomes are under way to the
     * store, which may have them already and have handed out a newer attempt of the job.
     */
    Set<AttemptId> idle() {
        return held.values().stream().map(Held::attempt).filter(attempt -> !jobs.containsKey(attempt.id()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the attempt is still held and does not run. */
    boolean isIdle(AttemptId attempt) {
        Held job = held.get(attempt.id());
        return job != null && job.attempt.equals(attempt) && !jobs.containsKey(attempt.id());
    }

    /** Ends a group run. It counts the bytes of all its payloads until then. */
    void runEnded(List<ClaimedJob> run) {
        bytes.addAndGet(-bytesOf(run));
        if (runs.decrementAndGet() == 0) {
            emptied.ring();
        }
    }

    /** Reserves payload bytes for a job that may be handed off; false if too few are free. */
    boolean reserve(int size) {
        if (bytes.addAndGet(size) > bytesMax) {
            unreserve(size);
            return false;
        }
        return true;
    }

    /** Returns reserved payload bytes. */
    void unreserve(int size) {
        bytes.addAndGet(-size);
    }

    /** Payload bytes that may be claimed now; zero or less for none. */
    long freeBytes() {
        return bytesMax - bytes.get();
    }

    private static long bytesOf(List<ClaimedJob> run) {
        return run.stream().mapToLong(job -> job.payload().size()).sum();
    }

    void began(RunningJob job) {
        jobs.put(job.id(), job);
    }

    void ended(RunningJob job) {
        jobs.remove(job.id(), job);
    }

    /** @param timeouts the longest attempts of queues */
    QueueStatus.Hold hold(JobId id, Function<QueueName, Optional<Duration>> timeouts) {
        RunningJob job = jobs.get(id);
        if (job == null) {
            return held.containsKey(id) ? new QueueStatus.Hold.Claimed() : new QueueStatus.Hold.None();
        }
        Duration left = Duration.ofNanos(job.deadline - time.nanos());
        Duration past = job.claimed().terms().timeoutOr(timeouts.apply(job.queueName()).orElse(left)).minus(left);
        return new QueueStatus.Hold.Running(time.now().minus(past));
    }

    Collection<RunningJob> all() {
        return jobs.values();
    }

    /**
     * Keeps a held job from beginning, or raises its signal; returns what the store's request to cancel it came to, as
     * far as this node knows. The store knows of the request.
     */
    CancelResult cancel(JobId id) {
        Held job = held.get(id);
        boolean withheld = job != null && gate.cancel(job.attempt);
        RunningJob running = jobs.get(id);
        if (running != null && !withheld) {
            running.signal.raise(Reason.CANCELLED);
        }
        if (job == null || !lease().covers(job.generation)) { // another node may hold a newer attempt
            return CancelResult.REQUESTED;
        }
        return withheld ? CancelResult.CANCELLED : CancelResult.SIGNALLED;
    }

    void interruptAll(Reason reason) {
        jobs.values().forEach(job -> job.signal.raise(reason));
    }

    /**
     * Raises the signals of attempts past their timeout. If the lease is over too, the machine may have been suspended:
     * the attempt is then not blamed with a timeout.
     */
    void endOverdue() {
        for (RunningJob job : jobs.values()) {
            if (time.reached(job.deadline)) {
                job.signal.raise(lease().isOver() ? Reason.LEASE_LOST : Reason.TIMEOUT);
            }
            if (time.reached(job.deadline + OBEYS.toNanos())) {
                job.reportIgnored(OBEYS);
            }
        }
    }

    /** Waits until no group run is left, at most for the given time; returns whether none is left. */
    boolean awaitNone(Duration patience) {
        long deadline = time.deadline(patience);
        while (runs.get() > 0 && !time.reached(deadline) && !Thread.currentThread().isInterrupted()) {
            emptied.await(time, deadline);
        }
        return runs.get() == 0;
    }
}
