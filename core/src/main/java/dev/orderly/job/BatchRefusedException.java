package dev.orderly.job;

import dev.orderly.OrderlyException;
import java.util.Objects;

/** A request that the state or the name of a batch does not allow. Nothing was stored; the message has the remedy. */
public final class BatchRefusedException extends OrderlyException {
    private final Reason reason;

    public BatchRefusedException(Reason reason, String message) {
        super(Objects.requireNonNull(message, "message"), null);
        this.reason = Objects.requireNonNull(reason, "reason");
    }

    /** The rule that was broken. */
    public Reason reason() {
        return reason;
    }

    /** The rule that was broken. */
    public enum Reason {
        /** No batch of this name is kept. */
        UNKNOWN,
        /** The batch is closed, cancelled or finished. */
        CLOSED,
        /** The batch of this name has another callback, or other dead letters rule. */
        DIFFERENT
    }
}
