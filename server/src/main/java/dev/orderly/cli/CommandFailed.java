package dev.orderly.cli;

import org.jspecify.annotations.Nullable;

/** A command did not do what it was told; the message is for the user, and the exit code with it. */
final class CommandFailed extends RuntimeException {
    private final int exitCode;

    CommandFailed(String message, @Nullable Throwable cause) {
        this(Main.FAILED, message, cause);
    }

    CommandFailed(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
