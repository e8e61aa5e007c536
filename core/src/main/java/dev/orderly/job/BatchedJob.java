package dev.orderly.job;

/**
 * A job in a call of a {@link BatchHandler}. Thread-safe; without effect once the call has ended.
 *
 * @param <T> the type of the payload
 */
public interface BatchedJob<T> {
    T payload();

    /**
     * The attempt, for its metadata, its progress, its result and its signal. {@link Job#current()} and the user of
     * pushes are not set in a call with several jobs.
     */
    Job<T> job();

    /** Keeps the job done if the call throws after this. No effect after {@link #fail}. */
    void done();

    /**
     * Fails the job alone, as if a handler of it had thrown this; {@link RetryLater} and {@link Unprocessable} mean the
     * same. The first failure counts.
     */
    void fail(Throwable why);
}
