package dev.orderly.job.payload;

import dev.orderly.OrderlyException;
import java.io.Serial;
import java.util.Objects;

/** A payload that the present version cannot read, and that another version may read. The message names the reason. */
public final class UnreadablePayloadException extends OrderlyException {
    @Serial
    private static final long serialVersionUID = 1;

    public UnreadablePayloadException(String message) {
        super(Objects.requireNonNull(message, "message"), null);
    }

    public UnreadablePayloadException(String message, Throwable cause) {
        super(Objects.requireNonNull(message, "message"), Objects.requireNonNull(cause, "cause"));
    }
}
