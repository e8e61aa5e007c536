package dev.orderly.job;

import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.net.URI;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

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

    /** The longest wait for an event. */
    Duration AWAIT_MAX = Duration.ofDays(365);

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

    /**
     * The batch that the job belongs to: of its callback the finished batch, of a member the one that it is counted in,
     * which takes further members from this handler also when it is closed.
     *
     * @throws IllegalStateException if the job belongs to no batch
     */
    Batch batch();

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
     * {@code result}, {@link #snooze}, {@link #detach} and {@link #discard}, and of an {@link #await} that was empty,
     * counts.
     *
     * @throws IllegalArgumentException if the value cannot be written, or is larger than {@link #RESULT_MAX}
     */
    void result(Object value);

    /**
     * Runs a part of the handler's work unless an earlier attempt of this job has done it, and keeps its value with the
     * job: a later attempt gets the value, and the work does not run again. Steps are found by their name alone, so
     * their order and number may change between versions; a renamed step runs again.
     *
     * {@snippet :
     * Charge charge = job.step("charge", Charge.class, () -> bank.charge(order, job.stepKey("charge")));
     * }
     *
     * <p>Not guaranteed: that the work runs once. If the process dies between the work and its record, the next attempt
     * runs it again; {@link #stepKey} lets the other side notice that. Work that throws keeps nothing, and may be tried
     * again in the same attempt. Blocks until the value is durable; while the store fails it is tried again until the
     * attempt is to end.
     *
     * @param name 1 to {@link JobStep#NAME_MAX} letters, digits, {@code _}, {@code -}, {@code .} and {@code :}
     * @param type the class that a later attempt reads the value as, by the rules of payloads whose fields change
     * @param work returns a value of at most {@link JobStep#VALUE_MAX} bytes as Jackson writes it, or null
     * @return the value, of this run or of the earlier one
     * @throws IllegalArgumentException if the name breaks its rule, or the value is too large or cannot be written: the
     *     work has run, and nothing is kept
     * @throws IllegalStateException if the attempt has done a step of this name already, another step runs on this
     *     thread, or the steps of the job are more than {@link JobStep#STEPS_MAX} or {@link JobStep#BYTES_MAX} bytes
     * @throws dev.orderly.job.payload.UnreadablePayloadException if the kept value does not fit the type
     * @throws dev.orderly.job.transaction.LeaseLostException if a later attempt of the job exists; it does the work
     * @throws dev.orderly.store.StoreException if the store has failed until the attempt was to end
     */
    <T extends @Nullable Object, E extends Exception> T step(String name, Class<? extends T> type,
            StepWork.Call<? extends T, E> work) throws E;

    /** As {@link #step(String, Class, StepWork.Call)}, for work without a value. */
    default <E extends Exception> void step(String name, StepWork.Action<E> work) throws E {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(work, "work");
        this.<@Nullable Object, E>step(name, Object.class, () -> {
            work.run();
            return null;
        });
    }

    /**
     * As {@link #step(String, Class, StepWork.Call)}, with a connection to the database of the store: what the work
     * changes over it and the record of the step are one transaction, so the effect takes place exactly once, whatever
     * fails.
     *
     * {@snippet :
     * job.step("book", connection -> ledger.book(connection, charge));
     * }
     *
     * <p>The connection has the settings of the store's user; it is of the store's own, or of the data source that the
     * store was opened with. The step commits it, READ COMMITTED, and closes it: the work does neither. The server ends
     * a transaction that is idle for the store's caller hold.
     *
     * @throws dev.orderly.job.transaction.LeaseLostException also if the transaction was rolled back for this reason
     * @throws dev.orderly.store.StoreException also if the database failed; the next attempt sees whether the commit
     *     took place
     * @throws IllegalStateException also if the work has ended the transaction by SQL, or, where the handler tries the
     *     step again, if the commit whose answer was lost did take place: this attempt changes nothing then
     * @throws UnsupportedOperationException if the store is not PostgreSQL
     */
    <T extends @Nullable Object, E extends Exception> T step(String name, Class<? extends T> type,
            StepWork.TransactionCall<? extends T, E> work) throws E;

    /** As {@link #step(String, Class, StepWork.TransactionCall)}, for work without a value. */
    default <E extends Exception> void step(String name, StepWork.TransactionAction<E> work) throws E {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(work, "work");
        this.<@Nullable Object, E>step(name, Object.class, connection -> {
            work.run(connection);
            return null;
        });
    }

    /**
     * The steps that earlier attempts of this job have kept, in their order. Reads the store if this is not the first
     * attempt; blocks as {@link #step(String, Class, StepWork.Call)} does.
     *
     * @throws dev.orderly.store.StoreException if the store has failed until the attempt was to end
     */
    List<JobStep> steps();

    /**
     * An idempotency key for the outside: the same for this step of this job in each attempt, and different for all
     * others. Printable ASCII, at most 100 characters.
     *
     * @throws IllegalArgumentException if the name breaks its rule
     */
    default String stepKey(String name) {
        return id() + ":" + JobStep.checkName(name);
    }

    /**
     * Asks for an event from outside: its value if it has come, before this call or ever since the push of the job. If
     * it is empty, return: the job then waits for the event, and holds neither a handler nor a slot of a limit. Its
     * handler runs again once the event has come, or the wait is over. No failure is counted; on a FIFO queue the group
     * waits with the job.
     *
     * {@snippet :
     * Optional<Approval> answer = job.await("approval", Approval.class, Duration.ofDays(7));
     * if (answer.isEmpty()) {
     *     return;
     * }
     * }
     *
     * <p>The first call for a name fixes the end of the wait, over retries and restarts too; later calls ask for the
     * same. An attempt that was answered empty for several names waits for the first of them to come. A
     * {@link #result}, {@link #snooze}, {@link #detach} or {@link #discard} afterwards replaces the wait; an exception
     * fails the attempt as ever.
     *
     * <p>{@link dev.orderly.job.engine.Jobs#event} sends an event, and so do the API, the command line and the
     * dashboard. Blocks as {@link #step(String, Class, StepWork.Call)} does.
     *
     * @param name as that of a step
     * @param type the class that the value is read as, by the rules of payloads whose fields change
     * @param timeout above 0, at most {@link #AWAIT_MAX}; counts from the first call for this name on
     * @throws TimedOut if the wait is over and the event has not come; so it stays, for this job
     * @throws IllegalArgumentException if the name or the timeout breaks its rule
     * @throws IllegalStateException inside a step, or if the events of the job are more than
     *     {@link JobStep#STEPS_MAX} or {@link JobStep#BYTES_MAX} bytes
     * @throws dev.orderly.job.payload.UnreadablePayloadException if the value does not fit the type, or is null
     * @throws dev.orderly.job.transaction.LeaseLostException if a later attempt of the job exists; it asks itself
     * @throws dev.orderly.store.StoreException if the store has failed until the attempt was to end
     */
    <T> Optional<T> await(String name, Class<T> type, Duration timeout);

    /**
     * A link by which anybody who has it sends the event that this attempt awaits, until the wait is over: a POST,
     * whose body of at most 64 KiB is the value, or {@code true} if it is empty. A person who opens it sees a page
     * with a button that sends {@code true}. It needs no key and tells nothing of the job; treat it as a secret.
     *
     * @throws IllegalStateException unless this attempt has asked for the event and was answered empty; or if no
     *     address of a server is known ({@link dev.orderly.job.engine.EngineOptions#withPublicUrl})
     * @throws dev.orderly.store.StoreException if the store has failed until the attempt was to end
     */
    URI eventUrl(String name);

    /**
     * The events that have come for this job, and those that it awaits or has awaited, by name. Reads the store. A wait
     * that is over by now is told as such, so that its event comes no more.
     *
     * @throws dev.orderly.store.StoreException if the store has failed until the attempt was to end
     */
    List<JobEvent> events();

    /**
     * Delays the job instead of completing it, once the handler returns; no failure is counted. On a FIFO queue the
     * group waits with it.
     *
     * @param delay 0 to {@link #SNOOZE_MAX}
     */
    void snooze(Duration delay);

    /**
     * Lets the attempt go on without a handler, once this one returns: the job stays running, held by no node, until a
     * report of its worker ends it ({@link dev.orderly.job.engine.Jobs#report}, or the API with the attempt's
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
     * @throws IllegalStateException inside a step, or if the connection commits each statement by itself, or its
     *     transaction is REPEATABLE READ or SERIALIZABLE: it would not see jobs that are pushed behind this one
     *     meanwhile
     * @throws UnsupportedOperationException if the store is not PostgreSQL
     */
    void completeIn(Connection connection);

    /** As {@link #completeIn(Connection)}, in the transaction of this thread. As {@link Push#in(DataSource)}. */
    void completeIn(DataSource dataSource);

    /** Ends the job as cancelled, once the handler returns: neither done nor failed. */
    void discard(String reason);
}
