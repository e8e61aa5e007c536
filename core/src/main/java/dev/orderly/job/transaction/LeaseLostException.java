package dev.orderly.job.transaction;

import dev.orderly.OrderlyException;
import java.util.Objects;

/**
 * Refusal to complete a job in the caller's transaction, since a later attempt of the job exists. Do not catch it: the
 * transaction has to be rolled back, as the later attempt does the work.
 */
public final class LeaseLostException extends OrderlyException {
    private static final long serialVersionUID = 1;

    public LeaseLostException(String message) {
        super(Objects.requireNonNull(message, "message"), null);
    }
}
