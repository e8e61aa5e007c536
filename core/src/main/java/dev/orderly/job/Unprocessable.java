package dev.orderly.job;

import org.jspecify.annotations.Nullable;

/** Exception of a handler for a job that no retry can complete: the job becomes a dead letter at once. */
public final class Unprocessable extends RuntimeException {
    public Unprocessable(@Nullable String message) {
        this(message, null);
    }

    public Unprocessable(@Nullable String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
