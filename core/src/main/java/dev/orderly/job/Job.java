package dev.orderly.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A running job, as its handler sees it: what came with it, and what the handler may say about it. Valid while the
 * handler runs. Thread-safe, so a handler may pass it to threads of its own.
 */
public interface Job {
    /** Bound to the job while its handler is called; {@link #current} reads it. */
    ScopedValue<Job> CURRENT = ScopedValue.newInstance();

    /** The most bytes a result may have. */
    int RESULT_MAX = 64 << 10;

    /** The longest {@link #snooze}. */
    Duration SNOOZE_MAX = Duration.ofDays(365);

    /**
     * The job whose handler runs on this thread. Not inherited by threads the handler starts.
     *
     * @throws IllegalStateException outside a handler
     */
    static Job current() {
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

    /** Orders the jobs of a group: larger was pushed later. 63 bits, not consecutive. */
    long sequenceNumber();

    /** Names and values pushed beside the payload; over HTTP the path parameters. */
    Map<String, String> params();

    /** The user the job belongs to, if it was pushed by one. */
    Optional<String> userId();

    Instant pushedAt();

    /** How often the job was handed to a handler, this time included; 1 at first. Higher than any attempt before. */
    int attempt();

    /** Failed attempts before this one, counted against the queue's {@link RetryPolicy}. */
    int failures();

    /** The payload as it was pushed. */
    Payload payload();

    /** Raised when the handler should end. */
    CancellationSignal signal();

    /** A push to this job's own queue, and on a FIFO queue into its own group. */
    Push<Object> queue();

    /**
     * Says how far the job is. Only the last value is kept; it may take a fifth of a second to be seen.
     *
     * @param done 0 to {@code total}
     * @param total above 0, in whatever unit the handler counts
     * @param text what the handler is doing; may be empty
     * @throws IllegalArgumentException if a value is out of its bounds
     */
    void progress(long done, long total, String text);

    /**
     * Sends a message to all devices of the job's user that are connected now: text, bytes, or anything Jackson can
     * write, at most 64 KiB. Nobody gets it if nobody is connected, or the job belongs to nobody; what must not be missed
     * is {@link #progress} and {@link #result}.
     *
     * @throws IllegalArgumentException if it cannot be written, or is too large
     */
    void send(Object value);

    /**
     * What the job leaves when it is done: anything Jackson can write, text or bytes. The last call counts.
     *
     * @throws IllegalArgumentException if it cannot be written, or is larger than {@link #RESULT_MAX}
     */
    void result(Object value);

    /**
     * Once the handler returns, puts the job off instead of ending it; counts as no failure. On a FIFO queue its group
     * waits with it.
     *
     * @param delay 0 to {@link #SNOOZE_MAX}
     */
    void snooze(Duration delay);

    /** Once the handler returns, ends the job as cancelled: neither done nor failed. */
    void discard(String reason);
}
