package dev.orderly.job.engine;

import dev.orderly.Internal;
import dev.orderly.user.UserId;

/** Target of messages from running jobs to their users. Thread-safe, never blocks. */
@Internal(to = "dev.orderly")
@FunctionalInterface
public interface MessageTarget {
    /** Discards all messages. */
    MessageTarget NONE = (_, _) -> {};

    /**
     * Sends to the connections that the user has now, if any.
     *
     * @throws IllegalArgumentException if the value cannot be written, or is too large
     */
    void send(UserId user, Object value);
}
