package dev.orderly.job.engine;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.ProgressReport;
import dev.orderly.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the last progress of running jobs to the store, ten times a second, on its own thread since it may wait for
 * the store.
 */
final class ProgressReporter {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressReporter.class);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final JobStore store;
    private final EngineOptions options;
    private final Consumer<JobId> changed;
    final BackgroundLoop loop;

    /** @param changed callback for each job whose progress was stored */
    ProgressReporter(JobStore store, EngineOptions options, RunningJobs running, Consumer<JobId> changed) {
        this.store = store;
        this.options = options;
        this.changed = changed;
        this.loop = new BackgroundLoop("progress", options.time(), () -> {
            report(running.all());
            return PAUSE;
        });
    }

    /** Reports the unreported progress of jobs. A failed report is dropped, since a newer value follows. */
    void report(Collection<RunningJob> jobs) {
        List<ProgressReport> reports = new ArrayList<>();
        for (RunningJob job : jobs) {
            JobProgress progress = job.takeProgress();
            if (progress != null) {
                reports.add(new ProgressReport(options.node(), job.claimed().attempt(), progress));
            }
        }
        if (!reports.isEmpty()) {
            try {
                store.progress(reports, options.time().now());
                reports.forEach(report -> changed.accept(report.attempt().id()));
            } catch (StoreException e) {
                LOG.warn("The progress of {} jobs was not stored: {}", reports.size(), e.getMessage());
            }
        }
    }
}
