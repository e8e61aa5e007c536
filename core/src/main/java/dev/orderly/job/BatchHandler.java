package dev.orderly.job;

import java.util.List;

/**
 * Code that runs several jobs of a standard queue in one call, such as one insert of many rows.
 *
 * <p>A call gets the jobs that wait when a handler is free, at least one and at most as many as the handler was
 * attached with; it waits for no further ones. The jobs of a call are settled each by itself: a return completes all of
 * them but those that were {@linkplain BatchedJob#fail failed}, {@linkplain Job#snooze snoozed} or
 * {@linkplain Job#discard discarded}. An exception fails all of them but those that were {@linkplain BatchedJob#done
 * done}, by the rules of {@link Handler}. A job may be in more than one call, each time beside other jobs.
 *
 * <p>Runs on a thread of its own and may block and compute. A call counts once against the queue's concurrency, its
 * jobs each against limits over all nodes. The timeout of a job begins with the call. The thread is interrupted once
 * the signals of all its jobs are raised; before that, the {@linkplain Job#signal() signal} of each job tells of its
 * cancellation or timeout. A job that may have crashed a node is called alone.
 *
 * @param <T> the type that the payloads are read as
 */
@FunctionalInterface
public interface BatchHandler<T> {
    /** The bound on the jobs of one call. */
    int JOBS_MAX = 1_000;

    /** @param jobs in the order in which the store handed them out; unmodifiable */
    void handle(List<BatchedJob<T>> jobs) throws Exception;
}
