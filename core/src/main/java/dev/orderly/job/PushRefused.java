package dev.orderly.job;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A push that breaks a rule of its queue. Nothing was stored; the message names the queue, the rule and the remedy.
 */
public final class PushRefused extends RuntimeException {
    private final Reason reason;
    private final transient @Nullable Duration retryAfter;

    PushRefused(Reason reason, String message) {
        this(reason, message, null);
    }

    PushRefused(Reason reason, String message, @Nullable Duration retryAfter) {
        super(message);
        this.reason = reason;
        this.retryAfter = retryAfter;
    }

    /** The same about one of many. */
    PushRefused at(int place, int of) {
        return new PushRefused(reason, "Job " + place + " of " + of + ": " + getMessage(), retryAfter);
    }

    public Reason reason() {
        return reason;
    }

    /** When it makes sense to try again; only with {@link Reason#QUEUE_FULL}. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** The rule that was broken. */
    public enum Reason {
        /** No queue of this name was declared. */
        UNKNOWN_QUEUE,
        /** A FIFO queue got no group. */
        GROUP_MISSING,
        /** A standard queue got a group. */
        GROUP_FORBIDDEN,
        /** A FIFO queue got a delay or a priority, which contradict its order. */
        ORDER,
        /** The payload is empty. */
        EMPTY,
        /** The payload has more bytes than the queue takes. */
        TOO_LARGE,
        /** The payload cannot be written or read as what it says it is. */
        MALFORMED,
        /** A name, id, param or count is out of its bounds. */
        BOUNDS,
        /** As many jobs as the queue may hold are pending. Try again after {@link #retryAfter()}. */
        QUEUE_FULL
    }
}
