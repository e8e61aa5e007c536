package dev.orderly.job;

import org.jspecify.annotations.Nullable;

/** Thrown by a handler when trying again cannot help: the job becomes a dead letter at once. */
public final class Unprocessable extends RuntimeException {
    public Unprocessable(String message) {
        this(message, null);
    }

    public Unprocessable(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
