package dev.orderly.job.engine;

import dev.orderly.user.UserId;

/** Where messages of running jobs to their users go. Thread-safe, never blocks. */
@FunctionalInterface
public interface UserMessages {
    /** Reaches nobody. */
    UserMessages NONE = (_, _) -> {};

    /**
     * Sends to whatever connections the user has now, if any.
     *
     * @throws IllegalArgumentException if the value cannot be written, or is too large
     */
    void send(UserId user, Object value);
}
