package dev.orderly.job.search;

import dev.orderly.job.JobId;
import dev.orderly.job.JobView;
import dev.orderly.job.QueueName;
import org.jspecify.annotations.Nullable;

/**
 * Read-only port of a store of jobs for the questions of an operator. Each answer is one consistent view, may be a
 * moment behind, and says how much it covers: the work of a call is bounded, however many jobs the store holds. Reads
 * block neither pushes nor claims. Thread-safe, blocking.
 */
public interface JobFinder {
    /** The largest page. */
    int PAGE_MAX = 1_000;

    /** The largest number of jobs that one call of a search looks at. */
    int LOOKED_MAX = 20_000;

    /**
     * The jobs that meet the conditions, newest first. Indexes narrow a search by id, time, dedupe key, error, group,
     * queue or the state of dead letters and running jobs; other conditions are compared job by job, for at most
     * {@value #LOOKED_MAX} jobs. A job is on at most one page, whatever is pushed or ends meanwhile, unless it changes
     * so that it meets the conditions later.
     *
     * @param before {@link SearchPage#next} of the page before; null for the first page
     * @param limit 1 to {@value #PAGE_MAX}
     */
    SearchPage<JobView> search(JobSearch search, @Nullable JobId before, int limit);

    /** The ids of {@link #search}, at a smaller cost. */
    SearchPage<JobId> ids(JobSearch search, @Nullable JobId before, int limit);

    /**
     * Dead letters by error. The cost grows with the number of groups, not with the number of dead letters.
     *
     * @param queue null for all queues
     */
    DeadLetterGroups dead(@Nullable QueueName queue);

    /**
     * Groups of a FIFO queue. Halted, retrying and running groups are found by indexes; an order over all groups is
     * exact for up to {@value GroupPage#NAMES_MAX} groups, and taken from a sample beyond.
     */
    GroupPage groups(GroupQuery query);

    /** @throws IllegalArgumentException unless the limit is 1 to {@value #PAGE_MAX} */
    static void checkLimit(int limit) {
        if (limit < 1 || limit > PAGE_MAX) {
            throw new IllegalArgumentException("A page of " + limit + " jobs: ask for 1 to " + PAGE_MAX);
        }
    }
}
