package dev.orderly.live;

import dev.orderly.Internal;

/** A connection, as a transport offers it. Thread-safe; nothing here blocks. */
@Internal(to = "dev.orderly")
public interface LiveConnection {
    /** Unique among the connections of this node; not a secret. */
    String id();

    /** The key by which connections and messages are limited, such as an IP address. */
    String address();

    /** The way of the connection in a word, such as {@code websocket}; for operators. */
    default String transport() {
        return "other";
    }

    /**
     * Queues a message for sending. Messages of one thread are sent in their order.
     *
     * @return false if the connection is closed, or was cut because its reader is too slow. True does not mean that the
     *   message has arrived
     */
    boolean send(Message message);

    /**
     * Closes the connection after the messages that were queued before. Idempotent.
     *
     * @param reason for a developer at the other end, at most 120 characters
     */
    void close(CloseCode code, String reason);
}
