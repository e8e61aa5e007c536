package dev.orderly.job;

import dev.orderly.flow.Wakeup;
import dev.orderly.job.CancellationSignal.Reason;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** What runs on this node, under which lease, and who ends the attempts that run too long. Thread-safe. */
final class RunningJobs {
    private final Time time;
    private final Lease lease;
    private final ConcurrentHashMap<JobId, Job> jobs = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<JobId, Attempt> held = new ConcurrentHashMap<>();
    private final AtomicInteger lines = new AtomicInteger();
    private final Wakeup emptied = new Wakeup();

    RunningJobs(Time time) {
        this.time = time;
        this.lease = new Lease(time);
    }

    Lease lease() {
        return lease;
    }

    void lineStarted(List<ClaimedJob> line) {
        line.forEach(job -> held.put(job.id(), job.attempt()));
        lines.incrementAndGet();
    }

    /** The store took the attempt's ending, or will never take it. A newer attempt may be held meanwhile. */
    void settled(Attempt attempt) {
        held.remove(attempt.id(), attempt);
    }

    /** What this node was given and has not settled. */
    Set<JobId> held() {
        return Set.copyOf(held.keySet());
    }

    void lineEnded() {
        if (lines.decrementAndGet() == 0) {
            emptied.ring();
        }
    }

    void began(Job job) {
        jobs.put(job.id(), job);
    }

    void ended(Job job) {
        jobs.remove(job.id());
    }

    Collection<Job> all() {
        return jobs.values();
    }

    /** Whether the job runs here; if so its handler is told to end. */
    boolean interrupt(JobId id, Reason reason) {
        Job job = jobs.get(id);
        if (job == null) {
            return false;
        }
        job.interrupt(reason);
        return true;
    }

    void interruptAll(Set<JobId> ids, Reason reason) {
        ids.forEach(id -> interrupt(id, reason));
    }

    void interruptAll(Reason reason) {
        jobs.values().forEach(job -> job.interrupt(reason));
    }

    /** Ends the attempts whose time is over. While the machine slept none was at fault: then the lease is over too. */
    void endOverdue() {
        for (Job job : jobs.values()) {
            if (time.reached(job.deadline())) {
                job.interrupt(lease.isOver() ? Reason.LEASE_LOST : Reason.TIMEOUT);
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
