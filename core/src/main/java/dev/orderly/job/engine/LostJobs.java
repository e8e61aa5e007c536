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
 * Search for jobs that the store counts as held by this node and that do not run here, although no answer is known to
 * be lost. It has a thread of its own, since claims and hand-offs would wait for it: beside an old transaction the
 * store may read all jobs that this node has run since. An answer may be under way during a search, so a job is lost
 * once two searches in a row have found it.
 */
final class LostJobs {
    private static final Logger LOG = LoggerFactory.getLogger(LostJobs.class);
    static final Duration INTERVAL = Duration.ofSeconds(15);
    /** Longest pause after a search that failed: its time was a wait for the store, rather than work of it. */
    private static final Duration FAILED_MOST = Duration.ofMinutes(2);

    private final JobStore store;
    private final EngineOptions options;
    private final RunningJobs running;
    private final Runnable whenFound;
    private Set<JobId> missed = Set.of();
    final BackgroundLoop loop;

    /** @param whenFound called if jobs are lost */
    LostJobs(JobStore store, EngineOptions options, RunningJobs running, Runnable whenFound) {
        this.store = store;
        this.options = options;
        this.running = running;
        this.whenFound = whenFound;
        this.loop = new BackgroundLoop("lost jobs", options.time(), this::tick);
    }

    private Duration tick() {
        long began = options.time().nanos();
        try {
            Set<JobId> now = new HashSet<>(store.held(options.node()));
            now.removeAll(running.held());
            if (!Collections.disjoint(now, missed)) {
                whenFound.run();
            }
            missed = now;
            return DutyCycle.pause(INTERVAL, began, options.time());
        } catch (StoreException e) {
            LOG.debug("The jobs of this node cannot be read: {}", e.getMessage());
            Duration pause = DutyCycle.pause(INTERVAL, began, options.time());
            return pause.compareTo(FAILED_MOST) < 0 ? pause : FAILED_MOST;
        }
    }
}
