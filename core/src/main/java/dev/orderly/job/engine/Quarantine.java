package dev.orderly.job.engine;

import dev.orderly.job.JobId;
import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the concurrency of suspects: jobs that may have run when a node died. At most a few suspects of one crash run
 * at once, so that the next crash has few suspects. A suspect of more crashes runs alone on the node, since only
 * crashes while it ran alone make it a dead letter. A harmless job passes the quarantine once. Thread-safe.
 */
final class Quarantine {
    /** Suspects of one crash that may run at once. */
    static final int FEW = 8;
    /** Crashes from which a suspect runs alone: most harmless ones have passed the quarantine by then. */
    static final int ALONE_FROM = 2;
    /** Time that running jobs have to end before the suspect starts beside them. */
    static final Duration DRAIN = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);
    private static final Duration LOOK = Duration.ofMillis(50);
    /**
     * Time without a new suspect of one crash before a suspect of more crashes starts: most suspects are cleared by one
     * run.
     */
    private static final Duration CALM = Duration.ofSeconds(3);

    private final RunningJobs running;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private int few;
    private boolean calmStarted;
    private long calmAt;
    private long aloneSince;
    private volatile @Nullable AttemptId alone;

    /** The decision about a job before its start. */
    enum Verdict {
        /** The job starts; {@link Quarantine#leave} must follow. */
        START,
        /** The job is given back: a suspect has the node for itself. */
        GIVE_BACK,
        /** The job is a suspect and is delayed until its turn. */
        LATER
    }

    Quarantine(RunningJobs running, Time time) {
        this.running = running;
        this.time = time;
    }

    /** Whether this node may claim: not while a suspect runs alone, or waits to. */
    boolean isOpen() {
        return alone == null;
    }

    /**
     * Decides about a job before its start; for a suspect that must run alone, waits until no other job runs.
     *
     * @param run the job and the later jobs of its group run, which do not run meanwhile
     */
    Verdict enter(ClaimedJob job, List<ClaimedJob> run) {
        Verdict verdict = decide(job);
        if (verdict == Verdict.START && isAlone(job)) {
            LOG.warn("Job {} of {} runs alone on this node: {} nodes died while it ran", job.id(), job.queue(),
                    job.crashes());
            drain(run);
        }
        return verdict;
    }

    /**
     * Records the end of a job. After a job that ran alone, the node is open for other jobs for as long as that job
     * took.
     */
    void leave(ClaimedJob job) {
        if (job.crashes() == 0) {
            return;
        }
        lock.lock();
        try {
            if (isAlone(job)) {
                alone = null;
                calmAt = time.deadline(Duration.ofNanos(time.nanos() - aloneSince));
            } else {
                few--;
            }
        } finally {
            lock.unlock();
        }
    }

    private Verdict decide(ClaimedJob job) {
        if (job.crashes() == 0) { // without the lock, which all handlers would share: a suspect waits for held jobs
            return alone == null ? Verdict.START : Verdict.GIVE_BACK;
        }
        lock.lock();
        try {
            if (alone != null) {
                return Verdict.LATER;
            }
            boolean mustRunAlone = job.crashes() >= ALONE_FROM;
            if (!calmStarted || !mustRunAlone) {
                calmStarted = true;
                calmAt = time.deadline(CALM);
            }
            if (mustRunAlone ? few > 0 || !time.reached(calmAt) : few == FEW) {
                return Verdict.LATER;
            }
            if (mustRunAlone) {
                alone = job.attempt();
                aloneSince = time.nanos();
            } else {
                few++;
            }
            return Verdict.START;
        } finally {
            lock.unlock();
        }
    }

    private boolean isAlone(ClaimedJob job) {
        return job.attempt().equals(alone);
    }

    /** Waits until the node holds no other jobs that are not settled. */
    private void drain(List<ClaimedJob> run) {
        Set<JobId> own = new HashSet<>();
        run.forEach(job -> own.add(job.id()));
        long deadline = time.deadline(DRAIN);
        while (!own.containsAll(running.held()) && !time.reached(deadline) && !running.gate().isStopping()
                && !Thread.currentThread().isInterrupted()) {
            time.park(time.deadline(LOOK));
        }
    }
}
