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
 * What runs beside jobs during whose runs a node died. Of suspects by one crash a few run at a time, so that the next
 * crash has few suspects. A suspect by more crashes has the node for itself, since only a crash alone convicts. Jobs that
 * crash nobody pass through once. Thread-safe.
 */
final class Quarantine {
    /** Suspects by one crash that run at a time. */
    static final int FEW = 8;
    /** A suspect by so many crashes runs alone: one more would be the third. */
    static final int ALONE_FROM = UpkeepLoop.CRASH_LIMIT - 1;
    /** What runs has this long to end before a suspect starts beside it. */
    static final Duration DRAIN = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Quarantine.class);
    private static final Duration LOOK = Duration.ofMillis(50);
    /** Who must run alone waits until no lesser suspect began for so long: those are likely to be cleared at once. */
    private static final Duration CALM = Duration.ofSeconds(3);

    private final RunningJobs running;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private int few;
    private boolean suspected;
    private long calmAt;
    private long aloneSince;
    private volatile @Nullable AttemptId alone;

    /** What is to become of a job that would start now. */
    enum Verdict {
        /** It starts; {@link Quarantine#leave} follows. */
        START,
        /** It goes back: the node is kept free for another job. */
        GIVE_BACK,
        /** A suspect that waits for its turn. */
        LATER
    }

    Quarantine(RunningJobs running, Time time) {
        this.running = running;
        this.time = time;
    }

    /** Whether this node takes jobs: not while one has it for itself, or waits for that. */
    boolean isOpen() {
        return alone == null;
    }

    /**
     * Decides about a job before it starts; waits until the node is free for one that must run alone.
     *
     * @param line the job and those handed out behind it, which do not run meanwhile
     */
    Verdict enter(ClaimedJob job, List<ClaimedJob> line) {
        Verdict verdict = judge(job);
        if (verdict == Verdict.START && isAlone(job)) {
            LOG.warn("Job {} of {} runs alone on this node: {} nodes died while it ran", job.id(), job.queue(),
                    job.crashes());
            drain(line);
            if (running.isStopping()) {
                leave(job);
                return Verdict.GIVE_BACK;
            }
        }
        return verdict;
    }

    /** The job does not run any more. The node is open for others for as long as one had it for itself. */
    void leave(ClaimedJob job) {
        lock.lock();
        try {
            if (isAlone(job)) {
                alone = null;
                calmAt = time.deadline(Duration.ofNanos(time.nanos() - aloneSince));
            } else if (job.crashes() > 0) {
                few--;
            }
        } finally {
            lock.unlock();
        }
    }

    private Verdict judge(ClaimedJob job) {
        lock.lock();
        try {
            if (alone != null) {
                return job.crashes() == 0 ? Verdict.GIVE_BACK : Verdict.LATER;
            }
            if (job.crashes() == 0) {
                return Verdict.START;
            }
            boolean apart = job.crashes() >= ALONE_FROM;
            if (!suspected || !apart) {
                suspected = true;
                calmAt = time.deadline(CALM);
            }
            if (apart ? few > 0 || !time.reached(calmAt) : few == FEW) {
                return Verdict.LATER;
            }
            if (apart) {
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

    /** Waits until the store knows of nothing else that this node runs. */
    private void drain(List<ClaimedJob> line) {
        Set<JobId> own = new HashSet<>();
        line.forEach(job -> own.add(job.id()));
        long deadline = time.deadline(DRAIN);
        while (!own.containsAll(running.held()) && !time.reached(deadline) && !running.isStopping()
                && !Thread.currentThread().isInterrupted()) {
            time.park(time.deadline(LOOK));
        }
    }
}
