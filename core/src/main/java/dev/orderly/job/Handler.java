package dev.orderly.job;

/**
 * Code that runs a job.
 *
 * <p>Runs on a thread of its own and may block and compute. A return completes the job, unless the handler called
 * {@link Job#snooze} or {@link Job#discard}. An exception fails the attempt: the job is retried by its queue's
 * {@link RetryPolicy}, except for {@link Unprocessable} (dead letter), {@link RetryLater} (own delay) and
 * {@link Throttled} (no failure, the key of the job rests). The handler may run more than once for one job. It must end
 * soon after {@link Job#signal()} is raised, which also interrupts its thread: until it ends, the attempt counts
 * against the queue's concurrency and holds its group.
 *
 * @param <T> the type that the payload is read as; a job whose payload this version cannot read is left to nodes of
 *     another version, without a call
 */
@FunctionalInterface
public interface Handler<T> {
    void handle(T payload, Job<T> job) throws Exception;
}
