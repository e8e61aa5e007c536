package dev.orderly.job;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A push being put together: immutable, each method returns a changed copy, {@code push} stores. Reusable.
 *
 * @param <T> the payload's type
 */
public final class Push<T> {
    private static final Payload NOTHING = new Payload(Payload.BYTES, new byte[0]);

    private final JobEngine engine;
    private final PushRequest request;

    Push(JobEngine engine, String queue) {
        this(engine, PushRequest.of(queue, NOTHING));
    }

    private Push(JobEngine engine, PushRequest request) {
        this.engine = engine;
        this.request = request;
    }

    /** This push with its payload, for the engine. */
    PushRequest with(T payload) {
        try {
            return request.withPayload(engine.encode(payload));
        } catch (IllegalArgumentException e) {
            throw new PushRefused(PushRefused.Reason.MALFORMED,
                    "The payload for queue " + request.queue() + " cannot be stored: " + e.getMessage());
        }
    }

    Push<T> group(String group) {
        return new Push<>(engine, request.withGroup(group));
    }

    /** A second push with this id inside five minutes (same queue, same group) is the first one again. */
    public Push<T> dedupe(String dedupeId) {
        return new Push<>(engine, request.withDedupeId(dedupeId));
    }

    /** Not before this much time has passed, at most 365 days. Standard queues only. */
    public Push<T> delay(Duration delay) {
        return new Push<>(engine, request.withDelay(delay));
    }

    /** The class of the job among others of its queue. Standard queues only. */
    public Push<T> priority(Priority priority) {
        return new Push<>(engine, request.withPriority(priority));
    }

    /** Names and values for the handler, beside the payload: at most 32, together at most 8 KiB. */
    public Push<T> params(Map<String, String> params) {
        return new Push<>(engine, request.withParams(params));
    }

    /** The user the job belongs to; without it the user of the {@link dev.orderly.user.UserScope}, if there is one. */
    public Push<T> user(String userId) {
        return new Push<>(engine, request.withUser(userId));
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
        return engine.push(with(payload)).id();
    }

    /**
     * Stores many jobs at once, all or none, in list order; ids in the same order. Otherwise as {@link #push}.
     *
     * @param payloads 1 to {@value JobEngine#BULK_MAX}
     */
    public List<JobId> pushAll(List<? extends T> payloads) {
        return engine.pushAll(payloads.stream().map(this::with).toList()).stream().map(PushResult::id).toList();
    }
}
