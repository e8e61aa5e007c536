package dev.orderly.job;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Builder of a push. Immutable and reusable: each method returns a changed copy, {@code push} stores the job.
 *
 * @param <T> the payload's type
 */
public final class Push<T> {
    /** The largest number of jobs in a bulk push. */
    public static final int BULK_MAX = 10_000;

    private static final Payload NOTHING = new Payload(Payload.BYTES, new byte[0]);

    private final Target target;
    private final PushRequest request;

    /** The engine that stores pushes. */
    public interface Target {
        /**
         * Stores jobs as {@link Push#pushAll} does. A request without a user gets the user of the
         * {@link dev.orderly.user.UserScope}.
         */
        List<PushResult> push(List<PushRequest> requests);

        /**
         * The payload of a push into a queue, of the kind that the queue declares for the value.
         *
         * @throws IllegalArgumentException if the value is of no declared kind, or Jackson cannot write it
         */
        Payload encode(String queue, Object value);

        /** @throws IllegalArgumentException if Jackson cannot write the value */
        Payload encode(Object value);

        /** The node's wall clock. */
        Instant now();
    }

    /** @param group null unless the queue is FIFO */
    public Push(Target target, QueueName queue, @Nullable String group) {
        this(target, PushRequest.of(queue.value(), NOTHING).withGroup(group));
    }

    private Push(Target target, PushRequest request) {
        this.target = target;
        this.request = request;
    }

    /**
     * The request of this push with its payload, to be changed or stored later.
     *
     * @throws PushRefused if Jackson cannot write the payload, or it is of no kind of the queue
     */
    public PushRequest with(T payload) {
        try {
            return request.withPayload(target.encode(request.queue(), payload));
        } catch (IllegalArgumentException e) {
            throw new PushRefused(PushRefused.Reason.MALFORMED,
                    "The payload for queue " + request.queue() + " cannot be stored: " + e.getMessage());
        }
    }

    /**
     * Sets the dedupe id. A second push with this id within five minutes (same queue, same group) is a duplicate:
     * nothing is stored, and the push returns the id of the first job. A second push with another payload, content
     * type, other params or another user is refused instead ({@link PushRefused.Reason#KEY_REUSED}), so that no job is
     * lost in silence: an id has to stand for one job, and its payload must not contain the moment of the push.
     */
    public Push<T> dedupe(String dedupeId) {
        return new Push<>(target, request.withDedupeId(dedupeId));
    }

    /** Sets the delay before the job becomes due, at most 365 days. Standard queues only. */
    public Push<T> delay(Duration delay) {
        return new Push<>(target, request.withDelay(delay));
    }

    /** Sets the priority class of the job. Standard queues only. */
    public Push<T> priority(Priority priority) {
        return new Push<>(target, request.withPriority(priority));
    }

    /** Sets names and values for the handler, beside the payload: at most 32, together at most 8192 characters. */
    public Push<T> params(Map<String, String> params) {
        return new Push<>(target, request.withParams(params));
    }

    /**
     * Sets the user that the job belongs to. The default is the user of the {@link dev.orderly.user.UserScope}, if any.
     */
    public Push<T> user(String userId) {
        return new Push<>(target, request.withUser(userId));
    }

    /**
     * Stores the job and returns its id, or the id of the job it duplicates. Blocks until the job is durable. An
     * interrupt of the caller does not undo the push.
     *
     * @throws PushRefused if a rule of the queue is broken, or the dedupe id stands for another job; nothing was stored
     * @throws dev.orderly.store.StoreException.Unavailable if nothing was stored; safe to repeat
     * @throws dev.orderly.store.StoreException.OutcomeUnknown if the job may have been stored; repeat with a dedupe id
     *     only
     */
    public JobId push(T payload) {
        return ids(target.push(List.of(with(payload)))).getFirst();
    }

    /**
     * Stores jobs atomically, in list order; the ids have the same order. Otherwise as {@link #push}.
     *
     * @param payloads 1 to {@value #BULK_MAX}
     * @throws PushRefused if a rule of the queue is broken, and nothing was stored; or if the dedupe id of a job stands
     *     for another job, and the other jobs of the list were stored
     */
    public List<JobId> pushAll(List<? extends T> payloads) {
        return ids(target.push(payloads.stream().map(this::with).toList()));
    }

    /**
     * The jobs that answer pushes, in their order.
     *
     * @throws PushRefused if a dedupe id or an idempotency key stands for another job
     */
    static List<JobId> ids(List<PushResult> results) {
        List<JobId> ids = new ArrayList<>(results.size());
        for (PushResult result : results) {
            ids.add(switch (result) {
                case PushResult.Accepted accepted -> accepted.id();
                case PushResult.Duplicate duplicate -> duplicate.id();
                case PushResult.DedupeReused reused -> throw reused("dedupe id", reused, ids.size(), results.size());
                case PushResult.KeyReused reused -> throw reused("idempotency key", reused, ids.size(), results.size());
            });
        }
        return ids;
    }

    private static PushRefused reused(String what, PushResult result, int index, int of) {
        PushRefused refused = new PushRefused(PushRefused.Reason.KEY_REUSED, "The " + what + " stands for job "
                + result.id() + ", which has another payload, content type, other params or another user: use a new "
                + what + " for a new job, or push exactly the same again");
        return of == 1 ? refused : refused.at(index + 1, of);
    }
}
