package dev.orderly.job;

/**
 * Code that does a job.
 *
 * <p>Runs on a thread of its own and may block and compute. Returning means done; throwing means failed: the job is tried
 * again by its queue's {@link RetryPolicy}, except for {@link Unprocessable} (dead letter) and {@link RetryLater} (own
 * delay). It may run more than once for one job, and must end soon after {@link Job#signal()} is raised, which also
 * interrupts its thread: an attempt that goes on holds its place among the running ones, and its group.
 *
 * @param <T> what the payload is read as; a payload that cannot be is a dead letter and never gets here
 */
@FunctionalInterface
public interface Handler<T> {
    void handle(T payload, Job job) throws Exception;
}
