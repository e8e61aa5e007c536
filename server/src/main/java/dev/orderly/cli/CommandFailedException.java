package dev.orderly.cli;

import org.jspecify.annotations.Nullable;

/** A failed command, with a message for the user and an exit code. */
class CommandFailedException extends RuntimeException {
    private final int exitCode;

    CommandFailedException(String message, @Nullable Throwable cause) {
        this(Main.FAILED, message, cause);
    }

    CommandFailedException(int exitCode, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }

    /** Nothing listens at the server's address. */
    static final class NoServer extends CommandFailedException {
        private static final long serialVersionUID = 1;

        NoServer(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
