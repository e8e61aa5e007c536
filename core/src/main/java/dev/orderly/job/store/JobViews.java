package dev.orderly.job.store;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at jobs without touching them; for pages, APIs and tests. Never slows pushes and claims: reads go their own
 * way and may be a moment behind. Thread-safe, blocking.
 */
public interface JobViews {
    /** The most jobs {@link #ahead} counts. */
    int AHEAD_MAX = 10_000;

    /** The job with this id, if it is still kept. */
    Optional<JobView> find(JobId id);

    /**
     * A page of the jobs of one queue in one state, by id: oldest first, done and cancelled ones newest first.
     *
     * @param after the last id of the page before, null for the first page
     * @param limit 1 to 1,000
     */
    List<JobView> list(QueueName queue, JobState state, @Nullable JobId after, int limit);

    /**
     * How many jobs stand before a waiting one. Standard queue: those that wait in a higher class, or in its own and were
     * pushed before. FIFO queue: those of its group that were pushed before and are not settled for good, whether they
     * wait, are delayed or run.
     *
     * @param limit 1 to {@value #AHEAD_MAX}; who has more gets this number
     * @return zero also for a job that does not wait, or is not there
     */
    int ahead(JobId id, int limit);

    /** Every queue that holds or held a job, or is or was paused, by name. */
    List<QueueView> queues();
}
