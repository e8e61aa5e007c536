package dev.orderly.job;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A push that breaks a rule of its queue. Nothing was stored; the message names the queue, the rule and the remedy.
 */
public final class PushRefused extends RuntimeException {
    private final Reason reason;
    private final transient @Nullable Duration retryAfter;
    private final int place;

    public PushRefused(Reason reason, String message) {
        this(reason, message, null);
    }

    /** @param retryAfter null unless the reason is {@link Reason#QUEUE_FULL} */
    public PushRefused(Reason reason, String message, @Nullable Duration retryAfter) {
        this(reason, message, retryAfter, 0);
    }

    private PushRefused(Reason reason, String message, @Nullable Duration retryAfter, int place) {
        super(message);
        this.reason = reason;
        this.retryAfter = retryAfter;
        this.place = place;
    }

    /** The same about one of many. */
    public PushRefused at(int position, int of) {
        return new PushRefused(reason, "Job " + position + " of " + of + ": " + getMessage(), retryAfter, position);
    }

    /** Which job of a bulk push broke the rule, from 1; empty for a push of one and for rules about the whole. */
    public OptionalInt place() {
        return place == 0 ? OptionalInt.empty() : OptionalInt.of(place);
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
