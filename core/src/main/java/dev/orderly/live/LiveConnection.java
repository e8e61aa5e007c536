package dev.orderly.live;

/** One connection, as a transport offers it. Thread-safe; nothing here blocks. */
public interface LiveConnection {
    /** Unique among the connections of this node; not a secret. */
    String id();

    /** What its connections and messages are counted by, such as an address. */
    String address();

    /**
     * Hands a message over to be sent. Messages of one thread go out in their order.
     *
     * @return false if the connection is closed, or was cut because its reader is too slow. True does not mean that the
     *     message has arrived
     */
    boolean send(Message message);

    /**
     * Closes it, after what was handed over before. Idempotent.
     *
     * @param reason for whoever looks at the other end, at most 120 characters
     */
    void close(CloseCode code, String reason);
}
