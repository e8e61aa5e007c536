package dev.orderly.job.engine;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.DutyCycle;
import dev.orderly.job.JobId;
import dev.orderly.job.store.JobStore;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Search for jobs that the store counts as held by this node and that do not run here: without a lost answer, or since
 * the store has completed a claim after this node had given up on its answer. It has a thread of its own, since claims
 * and hand-offs would wait for it: beside an old transaction the store may read all jobs that this node has run since.
 * An answer may be under way during a search, so a job is lost once two searches in a row have found it.
 */
final class LostJobs {
    private static final Logger LOG = LoggerFactory.getLogger(LostJobs.class);
    static final Duration INTERVAL = Duration.ofSeconds(15);
    /** Interval for {@link #LATE} after a lost answer, while the store may complete what this node has given up. */
    private static final Duration SOON = Duration.ofSeconds(1);
    /** More than a stalled network and a store that is paused or waits for its standby need after they are back. */
    private static final Duration LATE = Duration.ofMinutes(1);

    private final JobStore store;
    private final EngineOptions options;
    private final RunningJobs running;
    private final Runnable whenFound;
    private final DutyCycle duty;
    private Set<JobId> missed = Set.of();
    /** Monotonic time until which a late claim is likely. */
    private volatile long late;
    final BackgroundLoop loop;

    /** @param whenFound called if jobs are lost */
    LostJobs(JobStore store, EngineOptions options, RunningJobs running, Runnable whenFound) {
        this.store = store;
        this.options = options;
        this.running = running;
        this.whenFound = whenFound;
        this.duty = new DutyCycle(options.time());
        this.late = options.time().nanos();
        this.loop = new BackgroundLoop("lost jobs", options.time(), this::tick);
    }

    /** Notes that the answer to a claim was lost: the store may complete it later. Never blocks. */
    void answerLost() {
        late = options.time().deadline(LATE);
        loop.ring();
    }

    private Duration tick() {
        if (!running.lease().isSure()) { // the store answers nothing, and may complete what has reached it
            late = options.time().deadline(LATE);
            return SOON;
        }
        Duration least = options.time().reached(late) ? INTERVAL : SOON;
        long began = options.time().nanos();
        try {
            Set<JobId> now = new HashSet<>(store.held(options.node()));
            now.removeAll(running.held());
            if (!Collections.disjoint(now, missed)) {
                whenFound.run();
            }
            missed = now;
            return duty.done(least, began);
        } catch (StoreException e) {
            LOG.debug("The jobs of this node cannot be read: {}", e.getMessage());
            return duty.failed(least);
        }
    }
}
