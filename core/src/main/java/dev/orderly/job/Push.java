package dev.orderly.job;

import dev.orderly.job.transaction.CallersTransaction;
import dev.orderly.user.UserId;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a push into a standard queue; {@link GroupPush} is that into a group of a FIFO queue. Immutable and
 * reusable: each method returns a changed copy, {@code push} stores the job.
 *
 * @param <T> the payload's type
 */
public final class Push<T> {
    /** The largest number of jobs in a bulk push. */
    public static final int BULK_MAX = 10_000;

    static final Payload NOTHING = new Payload(Payload.BYTES, new byte[0]);

    private final Target target;
    private final PushRequest request;

    /** The engine that stores pushes. */
    public interface Target {
        /**
         * Stores jobs as {@link Push#pushAll} does. A request without a user gets the user of the
         * {@link dev.orderly.user.UserScope}.
         *
         * @param requests at most {@value Push#BULK_MAX}
         */
        List<PushResult> push(List<PushRequest> requests);

        /**
         * The payload of a push into a queue, of the kind that the queue declares for the value.
         *
         * @throws IllegalArgumentException if the value is of no declared kind, or Jackson cannot write it
         */
        Payload encode(String queue, Object value);

        /** The same engine, whose pushes are part of a transaction of the caller. */
        Target in(CallersTransaction transaction);

        /** @throws IllegalArgumentException if Jackson cannot write the value */
        Payload encode(Object value);

        /** The node's wall clock. */
        Instant now();
    }

    /** Called by the engine; applications push into queues that they declare with {@link dev.orderly.Orderly}. */
    public Push(Target target, QueueName queue) {
        this(Objects.requireNonNull(target, "target"), PushRequest.of(queue.value(), NOTHING));
    }

    /**
     * Called by the engine, for {@link Job#again}.
     *
     * @param parent the job that pushes, whichever thread does
     */
    public Push(Target target, QueueName queue, @Nullable String group, JobId parent) {
        this(Objects.requireNonNull(target, "target"), PushRequest.of(queue.value(), NOTHING).withGroup(group)
                .withParent(Objects.requireNonNull(parent, "parent")));
    }

    Push(Target target, PushRequest request) {
        this.target = target;
        this.request = request;
    }

    /**
     * The request of this push with its payload, to be changed or stored later.
     *
     * @throws PushRefusedException if Jackson cannot write the payload, or it is of no kind of the queue
     */
    public PushRequest with(T payload) {
        Objects.requireNonNull(payload, "payload");
        try {
            return request.withPayload(target.encode(request.queue(), payload));
        } catch (IllegalArgumentException e) {
            throw new PushRefusedException(PushRefusedException.Reason.MALFORMED,
                    "The payload for queue " + request.queue() + " cannot be stored: " + e.getMessage());
        }
    }

    /**
     * Sets the dedupe id. A second push with this id within five minutes (same queue, same group) is a duplicate:
     * nothing is stored, and the push returns the id of the first job. A second push with another payload, content
     * type, other params or another user is refused instead ({@link PushRefusedException.Reason#KEY_REUSED}), so that
     * no job is lost in silence: an id has to stand for one job, and its payload must not contain the moment of the
     * push.
     */
    public Push<T> dedupe(String dedupeId) {
        return new Push<>(target, request.withDedupeId(Objects.requireNonNull(dedupeId, "dedupeId")));
    }

    /**
     * Sets the dedupe id, and the time for which it is kept from the first accepted push on. Otherwise as
     * {@link #dedupe(String)}. Among pushes of the id with a time the time of the first counts. An id with a time is
     * another id than the same without.
     *
     * @param window 1 ms to 7 days
     */
    public Push<T> dedupe(String dedupeId, Duration window) {
        return new Push<>(target, request.withDedupeId(Objects.requireNonNull(dedupeId, "dedupeId"))
                .withDedupeFor(Objects.requireNonNull(window, "window")));
    }

    /**
     * Sets the debounce key and its quiet time. If a job of this key (same queue) waits, also for a retry, this push
     * replaces the payload, the params and the terms of that job and returns its id, and the job is put off until the
     * quiet time is over: it starts with the last payload once no push of the key has come for that time. A push never
     * makes the job due earlier than it was. Its place, priority, trace, attempts and failures stay. While a job of the
     * key runs, which has read its payload already, the push stores one next job. A push for another user than that of
     * the waiting job is refused ({@link PushRefusedException.Reason#KEY_REUSED}). Neither dedupe id nor unique key go
     * together with it. A FIFO queue refuses it, since it keeps the order of its pushes.
     *
     * <p>Without {@link #atMost}, a key that is pushed more often than its quiet time does not start.
     *
     * @param key 1 to 256 characters, no control characters
     * @param quiet 0 to 365 days; zero only replaces the payload of what waits, and the job starts when it would
     */
    public Push<T> debounce(String key, Duration quiet) {
        return new Push<>(target, request.withDebounce(Objects.requireNonNull(key, "key"))
                .withDelay(Objects.requireNonNull(quiet, "quiet")));
    }

    /**
     * Sets the longest time, from the first push of the job on, by which pushes of its {@link #debounce} key put it
     * off: then it is due with the payload of the last push. From the quiet time to 365 days.
     */
    public Push<T> atMost(Duration atMost) {
        return new Push<>(target, request.withAtMost(Objects.requireNonNull(atMost, "atMost")));
    }

    /** Sets the delay from the push on until the job is due, at most 365 days; in place of {@link #runAt}. */
    public Push<T> delay(Duration delay) {
        return new Push<>(target, request.withDelay(Objects.requireNonNull(delay, "delay")));
    }

    /**
     * Sets the moment from which the job is due, at most 365 days after the push; in place of {@link #delay}. A moment
     * in the past means at once.
     */
    public Push<T> runAt(Instant moment) {
        return new Push<>(target, request.withRunAt(Objects.requireNonNull(moment, "moment")));
    }

    /**
     * Sets the time from the push on within which an attempt has to start, above 0, at most 365 days. A job of which
     * none runs then ends as cancelled, with its expiry as the reason, and its handler is not called; on a FIFO queue
     * its group goes on. No retry starts later either. A dead letter that is redriven expires no more.
     */
    public Push<T> expires(Duration expires) {
        return new Push<>(target, request.withExpires(Objects.requireNonNull(expires, "expires")));
    }

    /** Sets the retry policy of the job, in place of the queue's. */
    public Push<T> retry(RetryPolicy retry) {
        return new Push<>(target, request.withRetry(Objects.requireNonNull(retry, "retry")));
    }

    /** Sets the longest time of one attempt, 1 ms to 7 days, in place of the queue's. */
    public Push<T> timeout(Duration timeout) {
        return new Push<>(target, request.withTimeout(Objects.requireNonNull(timeout, "timeout")));
    }

    /**
     * Sets the unique key. If a job of this key (same queue, same group) waits, also for a retry or its moment, it is
     * the answer: nothing is stored, whatever the payload, and the push returns its id. A job of the key that runs has
     * read its input already; then the push stores one next job, which answers further pushes. So after each push an
     * attempt of the returned job is still to start, unless the job is cancelled or expires. In place of {@link
     * #dedupe}, and of the comparison by content on a FIFO queue.
     *
     * @param key 1 to 256 characters, no control characters
     */
    public Push<T> unique(String key) {
        return new Push<>(target, request.withUnique(Objects.requireNonNull(key, "key")));
    }

    /**
     * Sets how much a start of the job counts: that many tokens of each rate of its key, group and limit, and that many
     * turns of its key. A bound on jobs that run at once counts jobs. A retry takes the tokens again.
     *
     * @param cost 1, the default, to 1,000,000, and no more than a rate of the queue gives in its period
     */
    public Push<T> cost(int cost) {
        return new Push<>(target, request.withCost(cost));
    }

    /** Sets the priority class of the job. */
    public Push<T> priority(Priority priority) {
        return new Push<>(target, request.withPriority(Objects.requireNonNull(priority, "priority")));
    }

    /** Sets names and values for the handler, beside the payload: at most 32, together at most 8192 characters. */
    public Push<T> params(Map<String, String> params) {
        return new Push<>(target, request.withParams(Objects.requireNonNull(params, "params")));
    }

    /**
     * Sets the user that the job belongs to. The default is the user of the {@link dev.orderly.user.UserScope}, if any.
     */
    public Push<T> user(UserId user) {
        return new Push<>(target, request.withUser(Objects.requireNonNull(user, "user")));
    }

    /**
     * Makes the push part of the caller's own transaction: the job exists if, and only if, the caller commits. The
     * connection leads to the database of the store, as a user with write access to Orderly's schema; it is neither
     * committed, rolled back nor closed. Then {@link #push} throws beside its other exceptions:
     *
     * <ul>
     * <li>{@link IllegalStateException} if the connection commits each statement by itself;
     * <li>{@link dev.orderly.store.StoreException} if the database failed, or if another transaction held the group or
     * used the same dedupe id: roll back and repeat the whole transaction. The cause has the SQLSTATE, such as 40001;
     * <li>{@link UnsupportedOperationException} if the store is not PostgreSQL.
     * </ul>
     *
     * <p>A push into a FIFO group holds the group until the transaction ends: no other push into it is stored (it waits
     * at most five seconds), and none of its jobs starts or ends. Other groups are not affected. So keep such a
     * transaction short; the server ends it when it was idle for the store's caller hold.
     */
    public Push<T> in(Connection connection) {
        return new Push<>(target.in(new CallersTransaction.OnConnection(connection)), request);
    }

    /**
     * As {@link #in(Connection)}, in the transaction that is open on this thread.
     *
     * @param dataSource hands out the connection of that transaction, as Spring's
     *     {@code TransactionAwareDataSourceProxy} does; a plain pool is refused ({@link IllegalStateException})
     */
    public Push<T> in(DataSource dataSource) {
        return new Push<>(target.in(new CallersTransaction.OfDataSource(dataSource)), request);
    }

    /** Makes the job a member of a batch. A push that an earlier job answers makes that job no member. */
    public Push<T> in(Batch batch) {
        PushRequest member = request.withBatch(Objects.requireNonNull(batch, "batch").link());
        return new Push<>(target, batch.member() == null ? member : member.withParent(batch.member()));
    }

    /**
     * Stores the job and returns its id, or the id of the job it duplicates. Blocks until the job is durable. An
     * interrupt of the caller does not undo the push.
     *
     * @throws PushRefusedException if a rule of the queue is broken, or the dedupe id stands for another job; nothing
     *     was stored
     * @throws dev.orderly.store.StoreException.Unavailable if nothing was stored; safe to repeat
     * @throws dev.orderly.store.StoreException.OutcomeUnknown if the job may have been stored; repeat with a dedupe id
     *     only
     */
    public JobId push(T payload) {
        return ids(target.push(List.of(with(payload)))).getFirst();
    }

    /**
     * As {@link #push}, with an answer that tells a new job from a duplicate, and a refusal from a failure.
     *
     * @throws dev.orderly.store.StoreException as {@link #push} does
     */
    public Answer tryPush(T payload) {
        try {
            return switch (target.push(List.of(with(payload))).getFirst()) {
                case PushResult.Accepted accepted -> new Answer.Accepted(accepted.id());
                case PushResult.Duplicate duplicate -> new Answer.Duplicate(duplicate.id());
                case PushResult.Replaced replaced -> new Answer.Replaced(replaced.id());
                case PushResult.DebounceReused reused -> new Answer.Refused(reused(reused, 0, 1));
                case PushResult.DedupeReused reused -> new Answer.Refused(reused("dedupe id", reused, 0, 1));
                case PushResult.KeyReused reused -> new Answer.Refused(reused("idempotency key", reused, 0, 1));
            };
        } catch (PushRefusedException e) {
            return new Answer.Refused(e);
        }
    }

    /** The answer to a push. */
    public sealed interface Answer {
        /** The job is stored and durable. */
        record Accepted(JobId id) implements Answer {
            public Accepted {
                Objects.requireNonNull(id, "id");
            }
        }

        /**
         * Nothing was stored: the push repeats an earlier push, by its dedupe id or by its content, or a job of its
         * unique key has yet to start.
         *
         * @param of the job of the earlier push, in whatever state it is now
         */
        record Duplicate(JobId of) implements Answer {
            public Duplicate {
                Objects.requireNonNull(of, "of");
            }
        }

        /**
         * The push has replaced the payload of a job that waits under its debounce key.
         *
         * @param of the job, whose id stays
         */
        record Replaced(JobId of) implements Answer {
            public Replaced {
                Objects.requireNonNull(of, "of");
            }
        }

        /**
         * Nothing was stored: a rule of the queue is broken, the queue is full, or the dedupe id or debounce key stands
         * for another job.
         */
        record Refused(PushRefusedException why) implements Answer {
            public Refused {
                Objects.requireNonNull(why, "why");
            }
        }
    }

    /**
     * Stores jobs atomically, in list order; the ids have the same order. Otherwise as {@link #push}.
     *
     * @param payloads at most {@value #BULK_MAX}; for none the answer is empty, and nothing is stored
     * @throws PushRefusedException if a rule of the queue is broken, or if the push has a dedupe id, a unique key or
     *     a debounce key and the list more than one job, since it stands for one job; nothing was stored
     */
    public List<JobId> pushAll(List<? extends T> payloads) {
        Objects.requireNonNull(payloads, "payloads");
        String what = request.dedupeId() != null
                ? "dedupe id"
                : request.unique() != null ? "unique key" : request.debounce() != null ? "debounce key" : null;
        if (what != null && payloads.size() > 1) {
            throw new PushRefusedException(PushRefusedException.Reason.KEY_REUSED,
                    "A list of " + payloads.size() + " jobs for queue "
                            + request.queue()
                            + " has one " + what + ", which stands for one job: push each job with a " + what
                            + " of its own, or leave it out");
        }
        return ids(target.push(requests(payloads, this::with)));
    }

    /** A request for each item; a refusal names the position of the item. */
    static <E> List<PushRequest> requests(List<? extends E> items, Function<? super E, PushRequest> request) {
        List<PushRequest> requests = new ArrayList<>(items.size());
        for (E item : items) {
            Objects.requireNonNull(item,
                    () -> "payloads: item " + (requests.size() + 1) + " of " + items.size() + " is null");
            try {
                requests.add(request.apply(item));
            } catch (PushRefusedException e) {
                throw items.size() == 1 ? e : e.at(requests.size() + 1, items.size());
            }
        }
        return requests;
    }

    /**
     * The jobs that answer pushes, in their order.
     *
     * @throws PushRefusedException if a dedupe id, a debounce key or an idempotency key stands for another job
     */
    static List<JobId> ids(List<PushResult> results) {
        List<JobId> ids = new ArrayList<>(results.size());
        for (PushResult result : results) {
            ids.add(switch (result) {
                case PushResult.Accepted accepted -> accepted.id();
                case PushResult.Duplicate duplicate -> duplicate.id();
                case PushResult.Replaced replaced -> replaced.id();
                case PushResult.DebounceReused reused -> throw reused(reused, ids.size(), results.size());
                case PushResult.DedupeReused reused -> throw reused("dedupe id", reused, ids.size(), results.size());
                case PushResult.KeyReused reused -> throw reused("idempotency key", reused, ids.size(), results.size());
            });
        }
        return ids;
    }

    private static PushRefusedException reused(String what, PushResult result, int index, int of) {
        PushRefusedException refused = new PushRefusedException(PushRefusedException.Reason.KEY_REUSED,
                "The " + what + " stands for job "
                        + result.id()
                        + ", which has another payload, content type, other params or another user: use a new "
                        + what + " for a new job, or push exactly the same again");
        return of == 1 ? refused : refused.at(index + 1, of);
    }

    private static PushRefusedException reused(PushResult.DebounceReused result, int index, int of) {
        PushRefusedException refused = new PushRefusedException(PushRefusedException.Reason.KEY_REUSED,
                "The debounce key stands for job " + result.id()
                        + ", which waits and belongs to another user: use a key of each user's own");
        return of == 1 ? refused : refused.at(index + 1, of);
    }
}
