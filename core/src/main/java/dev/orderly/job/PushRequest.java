package dev.orderly.job;

import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A push as requested, from Java or over HTTP, before any rule is checked. Immutable: each method returns a copy. */
public final class PushRequest {
    private final Parts parts;
    private final Terms terms;

    /** What the push says of its job in place of the queue. */
    private record Terms(@Nullable Duration expires, @Nullable RetryPolicy retry, @Nullable Integer attempts,
            @Nullable Duration timeout, @Nullable String unique, @Nullable String debounce,
            @Nullable Duration atMost, @Nullable Duration dedupeFor, @Nullable Integer cost,
            @Nullable BatchLink batch) {
        static final Terms NONE = new Terms(null, null, null, null, null, null, null, null, null, null);
    }

    private record Parts(String queue, Payload payload, @Nullable String group, @Nullable String dedupeId,
            @Nullable String dedupeScope, @Nullable Duration delay, @Nullable Instant runAt,
            @Nullable Priority priority, Map<String, String> params, @Nullable UserId user,
            @Nullable DedupeKey formFingerprint, @Nullable IdempotencyKey idempotency, @Nullable TraceContext trace,
            @Nullable JobId origin, @Nullable JobId parent) {
        Parts {
            params = Map.copyOf(params);
        }
    }

    private PushRequest(Parts parts, Terms terms) {
        this.parts = parts;
        this.terms = terms;
    }

    private PushRequest with(Parts others) {
        return new PushRequest(others, terms);
    }

    private PushRequest with(Terms other) {
        return new PushRequest(parts, other);
    }

    /** A request for a push into a queue, with a payload and nothing else. */
    public static PushRequest of(String queue, Payload payload) {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(payload, "payload");
        return new PushRequest(new Parts(queue, payload, null, null, null, null, null, null, Map.of(), null, null, null,
                null, null, null), Terms.NONE);
    }

    /** The name of the queue, as given. */
    public String queue() {
        return parts.queue;
    }

    /** The payload. */
    public Payload payload() {
        return parts.payload;
    }

    /** The group; null on a standard queue. */
    public @Nullable String group() {
        return parts.group;
    }

    /**
     * The dedupe id; null for the queue's default: dedupe by content on a FIFO queue, no dedupe on a standard queue.
     */
    public @Nullable String dedupeId() {
        return parts.dedupeId;
    }

    /**
     * The owner of the dedupe id, such as a user: equal ids of different owners are different; null for one scope for
     * all.
     */
    public @Nullable String dedupeScope() {
        return parts.dedupeScope;
    }

    /** The delay from the push on; null for none. */
    public @Nullable Duration delay() {
        return parts.delay;
    }

    /** The moment from which the job is due; null for at once, or as {@link #delay} says. */
    public @Nullable Instant runAt() {
        return parts.runAt;
    }

    /** The class; null for {@link Priority#NORMAL}. */
    public @Nullable Priority priority() {
        return parts.priority;
    }

    /** Names and values beside the payload. */
    public Map<String, String> params() {
        return parts.params;
    }

    /**
     * The user that the job belongs to; null for the user of the {@link dev.orderly.user.UserScope}, such as that of
     * the job whose handler pushes.
     */
    public @Nullable UserId user() {
        return parts.user;
    }

    /**
     * The hash of the fields of a form whose bytes differ between equal forms, as the bytes of a multipart form do by
     * its boundary; takes the place of content type and payload where pushes are compared; null otherwise.
     */
    public @Nullable DedupeKey formFingerprint() {
        return parts.formFingerprint;
    }

    /** The idempotency key of an HTTP push; null for none. */
    public @Nullable IdempotencyKey idempotency() {
        return parts.idempotency;
    }

    /**
     * The trace of the pushing request; null for that of the running job, or of the thread, if any. No part of what
     * pushes are compared by.
     */
    public @Nullable TraceContext trace() {
        return parts.trace;
    }

    /** The job whose content is pushed again; null for none. No part of what pushes are compared by. */
    public @Nullable JobId origin() {
        return parts.origin;
    }

    /**
     * The job whose handler pushes; null for the job that runs on the thread of the push, if any. Part of what pushes
     * without a dedupe id are compared by: the attempts of a job push once, and two jobs push twice.
     */
    public @Nullable JobId parent() {
        return parts.parent;
    }

    /** The time from the push on within which an attempt has to start; null for any time. */
    public @Nullable Duration expires() {
        return terms.expires;
    }

    /** The retry policy of the job; null for the queue's. */
    public @Nullable RetryPolicy retry() {
        return terms.retry;
    }

    /** The number of attempts of the job, with the backoff of its policy; null for the policy's. */
    public @Nullable Integer attempts() {
        return terms.attempts;
    }

    /** The tokens of each rate that a start of the job takes, and the turns of its key; null for 1. */
    public @Nullable Integer cost() {
        return terms.cost;
    }

    /** The longest time of one attempt; null for the queue's. */
    public @Nullable Duration timeout() {
        return terms.timeout;
    }

    /** The unique key; null for none. Of the owner of the dedupe id, if there is one. */
    public @Nullable String unique() {
        return terms.unique;
    }

    /** The debounce key; null for none. Of the owner of the dedupe id, if there is one. The delay is its quiet time. */
    public @Nullable String debounce() {
        return terms.debounce;
    }

    /** The longest time by which pushes of the debounce key put off a job, from its first push on; null for any. */
    public @Nullable Duration atMost() {
        return terms.atMost;
    }

    /** The time for which the dedupe id is kept; null for the usual five minutes. */
    public @Nullable Duration dedupeFor() {
        return terms.dedupeFor;
    }

    public PushRequest withExpires(@Nullable Duration value) {
        return with(new Terms(value, terms.retry, terms.attempts, terms.timeout, terms.unique, terms.debounce,
                terms.atMost, terms.dedupeFor, terms.cost, terms.batch));
    }

    public PushRequest withRetry(@Nullable RetryPolicy value) {
        return with(new Terms(terms.expires, value, terms.attempts, terms.timeout, terms.unique, terms.debounce,
                terms.atMost, terms.dedupeFor, terms.cost, terms.batch));
    }

    public PushRequest withAttempts(@Nullable Integer value) {
        return with(new Terms(terms.expires, terms.retry, value, terms.timeout, terms.unique, terms.debounce,
                terms.atMost, terms.dedupeFor, terms.cost, terms.batch));
    }

    public PushRequest withTimeout(@Nullable Duration value) {
        return with(new Terms(terms.expires, terms.retry, terms.attempts, value, terms.unique, terms.debounce,
                terms.atMost, terms.dedupeFor, terms.cost, terms.batch));
    }

    public PushRequest withUnique(@Nullable String value) {
        return with(new Terms(terms.expires, terms.retry, terms.attempts, terms.timeout, value, terms.debounce,
                terms.atMost, terms.dedupeFor, terms.cost, terms.batch));
    }

    public PushRequest withDebounce(@Nullable String value) {
        return with(new Terms(terms.expires, terms.retry, terms.attempts, terms.timeout, terms.unique, value,
                terms.atMost, terms.dedupeFor, terms.cost, terms.batch));
    }

    public PushRequest withAtMost(@Nullable Duration value) {
        return with(new Terms(terms.expires, terms.retry, terms.attempts, terms.timeout, terms.unique,
                terms.debounce, value, terms.dedupeFor, terms.cost, terms.batch));
    }

    public PushRequest withDedupeFor(@Nullable Duration value) {
        return with(new Terms(terms.expires, terms.retry, terms.attempts, terms.timeout, terms.unique,
                terms.debounce, terms.atMost, value, terms.cost, terms.batch));
    }

    public PushRequest withCost(@Nullable Integer value) {
        return with(new Terms(terms.expires, terms.retry, terms.attempts, terms.timeout, terms.unique,
                terms.debounce, terms.atMost, terms.dedupeFor, value, terms.batch));
    }

    /** The batch that the job is a member of; null for none. */
    public @Nullable BatchLink batch() {
        return terms.batch;
    }

    public PushRequest withBatch(@Nullable BatchLink value) {
        return with(new Terms(terms.expires, terms.retry, terms.attempts, terms.timeout, terms.unique,
                terms.debounce, terms.atMost, terms.dedupeFor, terms.cost, value));
    }

    public PushRequest withPayload(Payload value) {
        Objects.requireNonNull(value, "value");
        return with(new Parts(parts.queue, value, parts.group, parts.dedupeId, parts.dedupeScope,
                parts.delay, parts.runAt, parts.priority, parts.params, parts.user, parts.formFingerprint,
                parts.idempotency, parts.trace, parts.origin, parts.parent));
    }

    public PushRequest withGroup(@Nullable String value) {
        return with(new Parts(parts.queue, parts.payload, value, parts.dedupeId, parts.dedupeScope,
                parts.delay, parts.runAt, parts.priority, parts.params, parts.user, parts.formFingerprint,
                parts.idempotency, parts.trace, parts.origin, parts.parent));
    }

    public PushRequest withDedupeId(@Nullable String value) {
        return with(new Parts(parts.queue, parts.payload, parts.group, value, parts.dedupeScope, parts.delay,
                parts.runAt, parts.priority, parts.params, parts.user, parts.formFingerprint, parts.idempotency,
                parts.trace, parts.origin, parts.parent));
    }

    public PushRequest withDedupeScope(@Nullable String value) {
        return with(new Parts(parts.queue, parts.payload, parts.group, parts.dedupeId, value, parts.delay,
                parts.runAt, parts.priority, parts.params, parts.user, parts.formFingerprint, parts.idempotency,
                parts.trace, parts.origin, parts.parent));
    }

    /** A copy with this delay, in place of any moment. */
    public PushRequest withDelay(@Nullable Duration value) {
        return with(new Parts(parts.queue, parts.payload, parts.group, parts.dedupeId, parts.dedupeScope,
                value, null, parts.priority, parts.params, parts.user, parts.formFingerprint, parts.idempotency,
                parts.trace, parts.origin, parts.parent));
    }

    /** A copy with this moment, in place of any delay. */
    public PushRequest withRunAt(@Nullable Instant value) {
        return with(new Parts(parts.queue, parts.payload, parts.group, parts.dedupeId, parts.dedupeScope,
                null, value, parts.priority, parts.params, parts.user, parts.formFingerprint, parts.idempotency,
                parts.trace, parts.origin, parts.parent));
    }

    public PushRequest withPriority(@Nullable Priority value) {
        return with(new Parts(parts.queue, parts.payload, parts.group, parts.dedupeId, parts.dedupeScope,
                parts.delay, parts.runAt, value, parts.params, parts.user, parts.formFingerprint, parts.idempotency,
                parts.trace, parts.origin, parts.parent));
    }

    public PushRequest withParams(Map<String, String> value) {
        Objects.requireNonNull(value, "value").forEach((name, each) -> {
            Objects.requireNonNull(name, "name of a param");
            Objects.requireNonNull(each, () -> "param " + name + ": leave it out, or give it a value");
        });
        return with(new Parts(parts.queue, parts.payload, parts.group, parts.dedupeId, parts.dedupeScope,
                parts.delay, parts.runAt, parts.priority, value, parts.user, parts.formFingerprint, parts.idempotency,
                parts.trace, parts.origin, parts.parent));
    }

    public PushRequest withUser(@Nullable UserId value) {
        return with(new Parts(parts.queue, parts.payload, parts.group, parts.dedupeId, parts.dedupeScope,
                parts.delay, parts.runAt, parts.priority, parts.params, value, parts.formFingerprint, parts.idempotency,
                parts.trace, parts.origin, parts.parent));
    }

    public PushRequest withFormFingerprint(@Nullable DedupeKey value) {
        return with(new Parts(parts.queue, parts.payload, parts.group, parts.dedupeId, parts.dedupeScope,
                parts.delay, parts.runAt, parts.priority, parts.params, parts.user, value, parts.idempotency,
                parts.trace, parts.origin, parts.parent));
    }

    public PushRequest withIdempotency(@Nullable IdempotencyKey value) {
        return with(new Parts(parts.queue, parts.payload, parts.group, parts.dedupeId, parts.dedupeScope,
                parts.delay, parts.runAt, parts.priority, parts.params, parts.user, parts.formFingerprint, value,
                parts.trace, parts.origin, parts.parent));
    }

    public PushRequest withTrace(@Nullable TraceContext value) {
        return with(new Parts(parts.queue, parts.payload, parts.group, parts.dedupeId, parts.dedupeScope,
                parts.delay, parts.runAt, parts.priority, parts.params, parts.user, parts.formFingerprint,
                parts.idempotency, value, parts.origin, parts.parent));
    }

    public PushRequest withOrigin(@Nullable JobId value) {
        return with(new Parts(parts.queue, parts.payload, parts.group, parts.dedupeId, parts.dedupeScope,
                parts.delay, parts.runAt, parts.priority, parts.params, parts.user, parts.formFingerprint,
                parts.idempotency, parts.trace, value, parts.parent));
    }

    public PushRequest withParent(@Nullable JobId value) {
        return with(new Parts(parts.queue, parts.payload, parts.group, parts.dedupeId, parts.dedupeScope,
                parts.delay, parts.runAt, parts.priority, parts.params, parts.user, parts.formFingerprint,
                parts.idempotency, parts.trace, parts.origin, value));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PushRequest request && parts.equals(request.parts)
                && terms.equals(request.terms);
    }

    @Override
    public int hashCode() {
        return Objects.hash(parts, terms);
    }

    @Override
    public String toString() {
        return "PushRequest" + parts.toString().substring("Parts".length())
                + (terms.equals(Terms.NONE) ? "" : terms.toString().substring("Terms".length()));
    }

    /**
     * The {@code Idempotency-Key} of an HTTP push, kept for 24 hours. A repeated key with the same request is answered
     * with the first job; with another request it is refused.
     *
     * @param key hash of the client's key and of the client's identity
     * @param fingerprint hash of all that the request asks for
     */
    public record IdempotencyKey(DedupeKey key, DedupeKey fingerprint) {
        public IdempotencyKey {
            Objects.requireNonNull(fingerprint, "fingerprint");
            Objects.requireNonNull(key, "key");
        }
    }
}
