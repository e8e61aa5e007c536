package dev.orderly.job.store;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.JobId;
import dev.orderly.job.JobTerms;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.PushRequest.IdempotencyKey;
import dev.orderly.job.QueueName;
import dev.orderly.time.StoredTime;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job to be stored: validated, encoded, not yet numbered. Built by the engine only; stores do not validate it again.
 *
 * @param group set if and only if the queue is FIFO
 * @param priority always {@link Priority#NORMAL} on a FIFO queue
 * @param runAt moment from which the job is due; null for at once, always null on a FIFO queue
 * @param params names and values beside the payload
 * @param user the user that the job belongs to; null for none
 * @param dedupe null if the push is never a duplicate
 * @param fingerprint hash of what the dedupe id stands for; null if the key is a hash of that itself, or there is no
 *     key
 * @param idempotency null unless the client sent a key
 * @param claimer the node that has room to run the job at once, see {@link JobStore#push}; null for none
 * @param trace the trace that the push belongs to; null for none
 * @param origin the job of the same store whose content is pushed again; null for none
 * @param unique hash of the unique or debounce key in its scope; null for none
 * @param parent of a member of a batch, the job whose handler pushes it; null for none
 */
public record NewJob(QueueName queue, @Nullable String group, Priority priority, @Nullable Instant runAt,
        Payload payload, Map<String, String> params, @Nullable UserId user, @Nullable DedupeKey dedupe,
        @Nullable DedupeKey fingerprint, @Nullable IdempotencyKey idempotency, @Nullable NodeId claimer,
        @Nullable TraceContext trace, @Nullable JobId origin, JobTerms terms, @Nullable DedupeKey unique,
        @Nullable JobId parent) {
    public NewJob {
        if (queue.isFifo() != (group != null)) {
            throw new IllegalArgumentException(
                    "Queue " + queue + (group == null ? " needs a group" : " has no groups"));
        }
        if (queue.isFifo() && (priority != Priority.NORMAL || runAt != null)) {
            throw new IllegalArgumentException("Queue " + queue + " keeps push order: no priority, no delay");
        }
        if (terms.debounce() != null && (claimer != null || unique == null || queue.isFifo())) {
            throw new IllegalArgumentException("Queue " + queue + ": a job with a debounce has a key, is of a standard"
                    + " queue, and is never handed off");
        }
        if (terms.debounce() != null && terms.isMember()) {
            throw new IllegalArgumentException("Queue " + queue + ": a debounced job is no member of a batch");
        }
        params = Map.copyOf(params);
    }

    /** A job without a fingerprint, a claimer and a trace. */
    public NewJob(QueueName queue, @Nullable String group, Priority priority, @Nullable Instant runAt,
            Payload payload, Map<String, String> params, @Nullable UserId user, @Nullable DedupeKey dedupe,
            @Nullable IdempotencyKey idempotency) {
        this(queue, group, priority, runAt, payload, params, user, dedupe, null, idempotency, null, null, null,
                JobTerms.NONE, null, null);
    }

    /** A job that no member of a batch pushes. */
    public NewJob(QueueName queue, @Nullable String group, Priority priority, @Nullable Instant runAt,
            Payload payload, Map<String, String> params, @Nullable UserId user, @Nullable DedupeKey dedupe,
            @Nullable DedupeKey fingerprint, @Nullable IdempotencyKey idempotency, @Nullable NodeId claimer,
            @Nullable TraceContext trace, @Nullable JobId origin, JobTerms terms, @Nullable DedupeKey unique) {
        this(queue, group, priority, runAt, payload, params, user, dedupe, fingerprint, idempotency, claimer, trace,
                origin, terms, unique, null);
    }

    /** The same job with a claimer. */
    public NewJob claimedBy(NodeId node) {
        return new NewJob(queue, group, priority, runAt, payload, params, user, dedupe, fingerprint, idempotency,
                node, trace, origin, terms, unique, parent);
    }

    /** The same job with the fingerprint of its dedupe id. */
    public NewJob fingerprinted(DedupeKey value) {
        return new NewJob(queue, group, priority, runAt, payload, params, user, dedupe, value, idempotency, claimer,
                trace, origin, terms, unique, parent);
    }

    /** The same job as part of a trace. */
    public NewJob traced(@Nullable TraceContext value) {
        return new NewJob(queue, group, priority, runAt, payload, params, user, dedupe, fingerprint, idempotency,
                claimer, value, origin, terms, unique, parent);
    }

    /** The same job with its origin. */
    public NewJob comingFrom(@Nullable JobId value) {
        return new NewJob(queue, group, priority, runAt, payload, params, user, dedupe, fingerprint, idempotency,
                claimer, trace, value, terms, unique, parent);
    }

    /**
     * The same job with its terms.
     *
     * @param key hash of the unique or debounce key in its scope; null for none
     */
    public NewJob on(JobTerms value, @Nullable DedupeKey key) {
        return new NewJob(queue, group, priority, runAt, payload, params, user, dedupe, fingerprint, idempotency,
                claimer, trace, origin, value, key, parent);
    }

    /** The same job, which is a duplicate of none. */
    public NewJob undeduped() {
        return new NewJob(queue, group, priority, runAt, payload, params, user, null, null, null, claimer, trace,
                origin, terms, unique, parent);
    }

    /** The same job as a member that a job of its batch pushes. */
    public NewJob childOf(@Nullable JobId value) {
        return new NewJob(queue, group, priority, runAt, payload, params, user, dedupe, fingerprint, idempotency,
                claimer, trace, origin, terms, unique, value);
    }

    /** The name by which {@code per-key} counts the job: its group on a FIFO queue, else its key; null for none. */
    public @Nullable String keyOrGroup() {
        return group == null ? terms.key() : group;
    }

    /** The same job with the payload, the params and the terms of a later push of its debounce key. */
    public NewJob replacedBy(NewJob later) {
        return new NewJob(queue, group, priority, runAt, later.payload, later.params, user, dedupe, fingerprint,
                idempotency, claimer, trace, origin, later.terms.withBatch(terms.batch()), unique, parent);
    }

    /**
     * The time for which the dedupe key of the job is kept. A key with a time of its own is another key than without.
     */
    public Duration dedupeFor() {
        return terms.dedupeFor() == null ? JobStore.DEDUPE_WINDOW : terms.dedupeFor();
    }

    /** Whether the job is a duplicate of equal jobs, without an id that the pusher chose. */
    public boolean isComparedByContent() {
        return dedupe != null && fingerprint == null && idempotency == null;
    }

    /**
     * Whether this job, which has the dedupe key of an earlier job, is the same job again: a key without a fingerprint
     * is a hash of the job itself.
     *
     * @param first the fingerprint of the earlier job; null for none
     */
    public boolean repeats(@Nullable DedupeKey first) {
        return first == null || fingerprint == null || first.equals(fingerprint);
    }

    /** The same job with its moments in the precision of a store. */
    public NewJob in(StoredTime time, Instant now) {
        Instant expiresAt = terms.expiresAt();
        return runAt == null && expiresAt == null
                ? this
                : new NewJob(queue, group, priority, runAt == null ? null : time.stored(runAt, now), payload, params,
                        user, dedupe, fingerprint, idempotency, claimer, trace, origin,
                        terms.withExpiresAt(expiresAt == null ? null : time.stored(expiresAt, now)), unique,
                        parent);
    }
}
