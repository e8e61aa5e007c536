package dev.orderly.job;

import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * A running job, as its handler sees it: the data pushed with it, and the reports that the handler may make. Valid
 * while the handler runs. Thread-safe, so a handler may pass it to threads of its own.
 *
 * @param <T> the type of the queue's payloads
 */
public interface Job<T> {
    /** The job whose handler runs on this thread; {@link #current} reads it. */
    ScopedValue<Job<?>> CURRENT = ScopedValue.newInstance();

    /** The largest result, in bytes. */
    int RESULT_MAX = 64 << 10;

    /** The longest {@link #snooze}. */
    Duration SNOOZE_MAX = Duration.ofDays(365);

    /**
     * The job whose handler runs on this thread. Not inherited by threads that the handler starts.
     *
     * @throws IllegalStateException outside a handler
     */
    static Job<?> current() {
        if (!CURRENT.isBound()) {
            throw new IllegalStateException(
                    "No job runs on this thread: call Job.current() inside a handler, or use the job it was given");
        }
        return CURRENT.get();
    }

    JobId id();

    QueueName queueName();

    /** The group; present on a FIFO queue only. */
    Optional<String> groupId();

    /** The order of jobs inside a group: a larger number was pushed later. 63 bits, not consecutive. */
    long sequenceNumber();

    /** Names and values pushed beside the payload; over HTTP the path parameters. */
    Map<String, String> params();

    /** The user that the job belongs to, if any. */
    Optional<UserId> userId();

    Instant pushedAt();

    /** The trace that this attempt belongs to, for requests of the handler to other systems; empty for none. */
    Optional<TraceContext> trace();

    /**
     * The number of this attempt, from 1; higher than that of any attempt before. It counts claims, so numbers are
     * skipped where a claimed job was given back before its handler started.
     */
    int attempt();

    /** Failed attempts before this one, counted against the queue's {@link RetryPolicy}. */
    int failures();

    /** The payload as it was pushed. */
    Payload payload();

    /** Raised when the handler should end. */
    CancellationSignal signal();

    /**
     * Pushes a further job to this job's own queue, and on a FIFO queue into its own group. As {@link Push#push}.
     *
     * @return the id of the further job
     */
    JobId again(T next);

    /**
     * Reports how far the job is. Only the last value is kept; views show it after about a fifth of a second.
     *
     * @param done 0 to {@code total}
     * @param total above 0, in whatever unit the handler counts
     * @param text what the handler is doing; may be empty
     * @throws IllegalArgumentException if a value is out of its bounds
     */
    void progress(long done, long total, String text);

    /**
     * Sends a message to all devices of the job's user that are connected now: text, bytes, or anything Jackson can
     * write, at most 64 KiB. The message is lost if no device is connected, or the job has no user; use
     * {@link #progress} and {@link #result} for data that must not be missed.
     *
     * @throws IllegalArgumentException if the value cannot be written, or is too large
     */
    void send(Object value);

    /**
     * Sets the result that is kept when the job is done: anything Jackson can write, text or bytes. The last call of
     * {@code result}, {@link #snooze}, {@link #detach} and {@link #discard} counts.
     *
     * @throws IllegalArgumentException if the value cannot be written, or is larger than {@link #RESULT_MAX}
     */
    void result(Object value);

    /**
     * Delays the job instead of completing it, once the handler returns; no failure is counted. On a FIFO queue the
     * group waits with it.
     *
     * @param delay 0 to {@link #SNOOZE_MAX}
     */
    void snooze(Duration delay);

    /**
     * Lets the attempt go on without a handler, once this one returns: the job stays running, held by no node, until a
     * report of its worker ends it ({@link dev.orderly.job.engine.JobClient#report}, or the API with the attempt's
     * token). Without a report in this time the attempt has failed. The job takes up no handler meanwhile; on a FIFO
     * queue its group waits.
     *
     * @param atMost above 0, at most 7 days
     */
    void detach(Duration atMost);

    /**
     * Completes the job in the caller's own transaction, with the {@link #result}, {@link #snooze} or {@link #discard}
     * that the handler has asked for so far. The handler's changes on this connection and the end of the job take
     * effect together, exactly once, whatever fails afterwards.
     *
     * {@snippet :
     * orderly.handle(payments, (payment, job) -> {
     *     try (Connection connection = database.getConnection()) {
     *         connection.setAutoCommit(false);
     *         book(connection, payment);
     *         job.completeIn(connection);
     *         connection.commit();
     *     }
     * });
     * }
     *
     * <p>Commit and return. If the handler throws after the commit, the job is done all the same. If it returns and the
     * transaction does not commit, whatever rolled it back, the attempt has failed with that reason. A transaction that
     * is still open when the handler returns, such as one that another thread commits, decides when it ends; the server
     * ends an idle one after the store's caller hold. On a FIFO queue the group waits until the transaction ends.
     *
     * @throws dev.orderly.job.transaction.LeaseLostException if a later attempt of the job exists: roll back, it does
     *     the work
     * @throws dev.orderly.store.StoreException if the database failed: roll back and throw, so that the job is tried
     *     again
     * @throws IllegalStateException if the connection commits each statement by itself, or its transaction is
     *     REPEATABLE READ or SERIALIZABLE: it would not see jobs that are pushed behind this one meanwhile
     * @throws UnsupportedOperationException if the store is not PostgreSQL
     */
    void completeIn(Connection connection);

    /** As {@link #completeIn(Connection)}, in the transaction of this thread. As {@link Push#in(DataSource)}. */
    void completeIn(DataSource dataSource);

    /** Ends the job as cancelled, once the handler returns: neither done nor failed. */
    void discard(String reason);
}
