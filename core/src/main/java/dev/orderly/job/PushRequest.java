package dev.orderly.job;

import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A push as requested, from Java or over HTTP, before any rule is checked.
 *
 * @param dedupeId null for the queue's default: dedupe by content on a FIFO queue, no dedupe on a standard queue
 * @param dedupeScope the owner of the dedupe id, such as a user: equal ids of different owners are different; null for
 *     one scope for all
 * @param delay null for no delay
 * @param priority null for {@link Priority#NORMAL}
 * @param formFingerprint hash of the fields of a form whose bytes differ between equal forms, as the bytes of a
 *     multipart form do by its boundary; takes the place of content type and payload where pushes are compared; null
 *     otherwise
 * @param user null for the user of the {@link dev.orderly.user.UserScope}, such as that of the job whose handler pushes
 * @param trace the trace of the pushing request; null for that of the running job, or of the thread, if any. No part of
 *     what pushes are compared by
 * @param origin the job whose content is pushed again; null for none. No part of what pushes are compared by
 * @param parent the job whose handler pushes; null for the job that runs on the thread of the push, if any. Part of
 *     what pushes without a dedupe id are compared by: the attempts of a job push once, and two jobs push twice
 */
public record PushRequest(String queue, Payload payload, @Nullable String group, @Nullable String dedupeId,
        @Nullable String dedupeScope, @Nullable Duration delay, @Nullable Priority priority, Map<String, String> params,
        @Nullable UserId user, @Nullable DedupeKey formFingerprint, @Nullable IdempotencyKey idempotency,
        @Nullable TraceContext trace, @Nullable JobId origin, @Nullable JobId parent) {
    public PushRequest {
        params = Map.copyOf(params);
    }

    public static PushRequest of(String queue, Payload payload) {
        return new PushRequest(queue, payload, null, null, null, null, null, Map.of(), null, null, null,
                null, null, null);
    }

    public PushRequest withPayload(Payload value) {
        return new PushRequest(queue, value, group, dedupeId, dedupeScope, delay, priority, params, user,
                formFingerprint, idempotency, trace, origin, parent);
    }

    public PushRequest withGroup(@Nullable String value) {
        return new PushRequest(queue, payload, value, dedupeId, dedupeScope, delay, priority, params, user,
                formFingerprint, idempotency, trace, origin, parent);
    }

    public PushRequest withDedupeId(@Nullable String value) {
        return new PushRequest(queue, payload, group, value, dedupeScope, delay, priority, params, user,
                formFingerprint, idempotency, trace, origin, parent);
    }

    public PushRequest withDedupeScope(@Nullable String value) {
        return new PushRequest(queue, payload, group, dedupeId, value, delay, priority, params, user, formFingerprint,
                idempotency, trace, origin, parent);
    }

    public PushRequest withDelay(@Nullable Duration value) {
        return new PushRequest(queue, payload, group, dedupeId, dedupeScope, value, priority, params, user,
                formFingerprint, idempotency, trace, origin, parent);
    }

    public PushRequest withPriority(@Nullable Priority value) {
        return new PushRequest(queue, payload, group, dedupeId, dedupeScope, delay, value, params, user,
                formFingerprint, idempotency, trace, origin, parent);
    }

    public PushRequest withParams(Map<String, String> value) {
        return new PushRequest(queue, payload, group, dedupeId, dedupeScope, delay, priority, value, user,
                formFingerprint, idempotency, trace, origin, parent);
    }

    public PushRequest withUser(@Nullable UserId value) {
        return new PushRequest(queue, payload, group, dedupeId, dedupeScope, delay, priority, params, value,
                formFingerprint, idempotency, trace, origin, parent);
    }

    public PushRequest withFormFingerprint(@Nullable DedupeKey value) {
        return new PushRequest(queue, payload, group, dedupeId, dedupeScope, delay, priority, params, user, value,
                idempotency, trace, origin, parent);
    }

    public PushRequest withIdempotency(@Nullable IdempotencyKey value) {
        return new PushRequest(queue, payload, group, dedupeId, dedupeScope, delay, priority, params, user,
                formFingerprint, value, trace, origin, parent);
    }

    public PushRequest withTrace(@Nullable TraceContext value) {
        return new PushRequest(queue, payload, group, dedupeId, dedupeScope, delay, priority, params, user,
                formFingerprint, idempotency, value, origin, parent);
    }

    public PushRequest withOrigin(@Nullable JobId value) {
        return new PushRequest(queue, payload, group, dedupeId, dedupeScope, delay, priority, params, user,
                formFingerprint, idempotency, trace, value, parent);
    }

    public PushRequest withParent(@Nullable JobId value) {
        return new PushRequest(queue, payload, group, dedupeId, dedupeScope, delay, priority, params, user,
                formFingerprint, idempotency, trace, origin, value);
    }

    /**
     * The {@code Idempotency-Key} of an HTTP push, kept for 24 hours. A repeated key with the same request is answered
     * with the first job; with another request it is refused.
     *
     * @param key hash of the client's key and of the client's identity
     * @param fingerprint hash of all that the request asks for
     */
    public record IdempotencyKey(DedupeKey key, DedupeKey fingerprint) {}
}
