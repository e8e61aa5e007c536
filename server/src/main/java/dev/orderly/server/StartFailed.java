package dev.orderly.server;

import org.jspecify.annotations.Nullable;

/** The program cannot start; nothing is left open. The message is one line that says why and what to do. */
public final class StartFailed extends RuntimeException {
    StartFailed(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
