package dev.orderly.server;

import org.jspecify.annotations.Nullable;

/** The program cannot start; nothing stays open. The message is one line with the cause and the remedy. */
public final class StartFailedException extends RuntimeException {
    StartFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
