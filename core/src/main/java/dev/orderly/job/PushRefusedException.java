package dev.orderly.job;

import dev.orderly.OrderlyException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A push that breaks a rule of its queue. Nothing was stored; the message names the queue, the rule and the remedy.
 */
public final class PushRefusedException extends OrderlyException {
    private final Reason reason;
    private final transient @Nullable Duration retryAfter;
    private final int position;

    public PushRefusedException(Reason reason, String message) {
        this(Objects.requireNonNull(reason, "reason"), Objects.requireNonNull(message, "message"), null);
    }

    /** @param retryAfter null unless the reason is {@link Reason#QUEUE_FULL} */
    public PushRefusedException(Reason reason, String message, @Nullable Duration retryAfter) {
        this(Objects.requireNonNull(reason, "reason"), Objects.requireNonNull(message, "message"), retryAfter, 0);
    }

    private PushRefusedException(Reason reason, String message, @Nullable Duration retryAfter, int place) {
        super(message, null);
        this.reason = reason;
        this.retryAfter = retryAfter;
        this.position = place;
    }

    /** The same refusal, of one job of a bulk push; positions count from 1. */
    public PushRefusedException at(int position, int of) {
        return new PushRefusedException(reason, "Job " + position + " of " + of + ": " + getMessage(), retryAfter,
                position);
    }

    /**
     * The position, from 1, of the job of a bulk push that broke the rule; empty for a single push and for rules about
     * the whole push.
     */
    public OptionalInt position() {
        return position == 0 ? OptionalInt.empty() : OptionalInt.of(position);
    }

    public Reason reason() {
        return reason;
    }

    /** The recommended wait before a retry; only with {@link Reason#QUEUE_FULL}. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** The rule that was broken. */
    public enum Reason {
        /** No queue of this name is declared. */
        UNKNOWN_QUEUE,
        /** A push to a FIFO queue has no group. */
        GROUP_MISSING,
        /** A push to a standard queue has a group. */
        GROUP_FORBIDDEN,
        /** A push to a FIFO queue has a delay or a priority, which contradict its order. */
        ORDER,
        /** The payload is empty. */
        EMPTY,
        /** The payload has more bytes than the queue accepts. */
        TOO_LARGE,
        /** The payload cannot be written, or does not match its content type. */
        MALFORMED,
        /** A name, id, param or count is out of its bounds. */
        BOUNDS,
        /**
         * The dedupe id, or the idempotency key, stands for another job since its last use, or for several of a list.
         */
        KEY_REUSED,
        /** The queue has reached its maximum of pending jobs. Try again after {@link #retryAfter()}. */
        QUEUE_FULL,
        /** A push to a queue with keys gives none. */
        KEY_MISSING,
        /** The batch is not known, or takes no members from this push. */
        BATCH
    }
}
