package dev.orderly.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A push being put together: immutable, each method returns a changed copy, {@code push} stores. Reusable.
 *
 * @param <T> the payload's type
 */
public final class Push<T> {
    /** The most jobs of one bulk push. */
    public static final int BULK_MAX = 10_000;

    private static final Payload NOTHING = new Payload(Payload.BYTES, new byte[0]);

    private final Target target;
    private final PushRequest request;

    /** The engine that takes pushes. */
    public interface Target {
        /** Stores jobs as {@link Push#pushAll} says; they belong to the user of the {@link dev.orderly.user.UserScope}. */
        List<PushResult> push(List<PushRequest> requests);

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
     * This push with its payload, to be changed or stored later.
     *
     * @throws PushRefused if Jackson cannot write the payload
     */
    public PushRequest with(T payload) {
        try {
            return request.withPayload(target.encode(payload));
        } catch (IllegalArgumentException e) {
            throw new PushRefused(PushRefused.Reason.MALFORMED,
                    "The payload for queue " + request.queue() + " cannot be stored: " + e.getMessage());
        }
    }

    /** A second push with this id inside five minutes (same queue, same group) is the first one again. */
    public Push<T> dedupe(String dedupeId) {
        return new Push<>(target, request.withDedupeId(dedupeId));
    }

    /** Not before this much time has passed, at most 365 days. Standard queues only. */
    public Push<T> delay(Duration delay) {
        return new Push<>(target, request.withDelay(delay));
    }

    /** The class of the job among others of its queue. Standard queues only. */
    public Push<T> priority(Priority priority) {
        return new Push<>(target, request.withPriority(priority));
    }

    /** Names and values for the handler, beside the payload: at most 32, together at most 8 KiB. */
    public Push<T> params(Map<String, String> params) {
        return new Push<>(target, request.withParams(params));
    }

    /** The user the job belongs to; without it the user of the {@link dev.orderly.user.UserScope}, if there is one. */
    public Push<T> user(String userId) {
        return new Push<>(target, request.withUser(userId));
    }

    /**
     * Stores the job and returns its id, or the id of the job it duplicates. Blocks until that is durable. Interrupting
     * the caller does not take the push back.
     *
     * @throws PushRefused if a rule of the queue is broken; nothing was stored
     * @throws dev.orderly.store.StoreException.Unavailable if nothing was stored; safe to repeat
     * @throws dev.orderly.store.StoreException.OutcomeUnknown if it may have been stored; repeat with a dedupe id only
     */
    public JobId push(T payload) {
        return target.push(List.of(with(payload))).getFirst().id();
    }

    /**
     * Stores many jobs at once, all or none, in list order; ids in the same order. Otherwise as {@link #push}.
     *
     * @param payloads 1 to {@value #BULK_MAX}
     */
    public List<JobId> pushAll(List<? extends T> payloads) {
        return target.push(payloads.stream().map(this::with).toList()).stream().map(PushResult::id).toList();
    }
}
