package dev.orderly.job.engine;

import dev.orderly.flow.Wakeup;
import dev.orderly.job.CancellationSignal.Reason;
import dev.orderly.job.JobId;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What runs on this node, and under which lease: the jobs it holds, their bytes against the bound, and their signals. A
 * line is one job of a standard queue, or some jobs of one group one after the other. Thread-safe.
 */
final class RunningJobs {
    private final Time time;
    private final NodeLease lease;
    private final ConcurrentHashMap<JobId, RunningJob> jobs = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<JobId, AttemptId> held = new ConcurrentHashMap<>();
    private final AtomicInteger lines = new AtomicInteger();
    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();
    private final Wakeup emptied = new Wakeup();
    private volatile boolean stopping;

    /** @param bytesMax the most bytes of payload in lines that run, but for one job */
    RunningJobs(Time time, long bytesMax) {
        this.time = time;
        this.bytesMax = bytesMax;
        this.lease = new NodeLease(time);
    }

    NodeLease lease() {
        return lease;
    }

    void lineStarted(List<ClaimedJob> line) {
        line.forEach(job -> held.put(job.id(), job.attempt()));
        bytes.addAndGet(bytesOf(line));
        lines.incrementAndGet();
    }

    /** The store took the attempt's ending, or will never take it. A newer attempt may be held meanwhile. */
    void settled(AttemptId attempt) {
        held.remove(attempt.id(), attempt);
    }

    /** Jobs that were claimed and are not settled. */
    Set<JobId> held() {
        return Set.copyOf(held.keySet());
    }

    /** A line keeps the bytes of all its payloads until its last job has ended. */
    void lineEnded(List<ClaimedJob> line) {
        bytes.addAndGet(-bytesOf(line));
        if (lines.decrementAndGet() == 0) {
            emptied.ring();
        }
    }

    /** How many bytes of payload may be claimed now; zero or less for none. */
    long freeBytes() {
        return bytesMax - bytes.get();
    }

    private static long bytesOf(List<ClaimedJob> line) {
        return line.stream().mapToLong(job -> job.payload().size()).sum();
    }

    /** From now on no job starts behind another one of its group, and none waits for its turn. */
    void stop() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    void began(RunningJob job) {
        jobs.put(job.id(), job);
    }

    void ended(RunningJob job) {
        jobs.remove(job.id());
    }

    Collection<RunningJob> all() {
        return jobs.values();
    }

    /** Raises the signal of a job; false if the job does not run on this node. */
    boolean interrupt(JobId id, Reason reason) {
        RunningJob job = jobs.get(id);
        if (job == null) {
            return false;
        }
        job.signal.raise(reason);
        return true;
    }

    void interruptAll(Set<JobId> ids, Reason reason) {
        ids.forEach(id -> interrupt(id, reason));
    }

    void interruptAll(Reason reason) {
        jobs.values().forEach(job -> job.signal.raise(reason));
    }

    /** Ends the attempts whose time is over. While the machine slept none was at fault: then the lease is over too. */
    void endOverdue() {
        for (RunningJob job : jobs.values()) {
            if (time.reached(job.deadline)) {
                job.signal.raise(lease.isOver() ? Reason.LEASE_LOST : Reason.TIMEOUT);
            }
        }
    }

    /** Waits until no line runs, at most so long; whether none does. */
    boolean awaitNone(Duration patience) {
        long deadline = time.deadline(patience);
        while (lines.get() > 0 && !time.reached(deadline) && !Thread.currentThread().isInterrupted()) {
            emptied.await(time, deadline);
        }
        return lines.get() == 0;
    }
}
