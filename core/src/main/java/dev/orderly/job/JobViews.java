package dev.orderly.job;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at jobs without touching them; for pages, APIs and tests. Never slows pushes and claims: reads go their own
 * way and may be a moment behind. Thread-safe, blocking.
 */
public interface JobViews {
    /** The job with this id, if it is still kept. */
    Optional<JobView> find(JobId id);

    /**
     * A page of the jobs of one queue in one state, by id: oldest first, done and cancelled ones newest first.
     *
     * @param after the last id of the page before, null for the first page
     * @param limit 1 to 1,000
     */
    List<JobView> list(QueueName queue, JobState state, @Nullable JobId after, int limit);

    /** Every queue that holds or held a job, or is or was paused, by name. */
    List<QueueView> queues();
}
