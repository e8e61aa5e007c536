package dev.orderly.job.payload;

import java.io.Serial;

/** A payload that the present version cannot read, and that another version may read. The message names the reason. */
public final class PayloadUnreadable extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    public PayloadUnreadable(String message) {
        super(message);
    }

    PayloadUnreadable(String message, Throwable cause) {
        super(message, cause);
    }
}
