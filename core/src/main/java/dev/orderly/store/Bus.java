package dev.orderly.store;

import java.util.function.Consumer;

/**
 * Tells the other nodes of a store something, at once. What is told reaches every node that listens at that moment, in
 * the order in which this node told it, and never this node itself.
 *
 * <p>At most once: what is told while the connection is broken, or faster than it can go out, is lost to some or all.
 * So nothing may hang on it alone: it saves waiting for what is looked for anyway, and carries what is not kept at all.
 *
 * <p>Thread-safe. Ends with the store it belongs to.
 */
public interface Bus {
    /** The most bytes of a message. */
    int MAX = 256 << 10;

    /** The bus of a store that one process owns: there is nobody else. */
    Bus ALONE = new Bus() {
        @Override
        public void publish(Topic topic, byte[] message) {}

        @Override
        public void subscribe(Topic topic, Consumer<byte[]> listener) {}
    };

    /** What is told. */
    enum Topic {
        /** Queues that were pushed to, or may be claimed from again. */
        WORK,
        /** Live messages to users. */
        LIVE
    }

    /**
     * Hands a message over to be told. Never blocks; does nothing after the store was closed.
     *
     * @param message 1 to {@value #MAX} bytes, not changed afterwards
     * @throws IllegalArgumentException if it is empty or too large
     */
    void publish(Topic topic, byte[] message);

    /**
     * Has a listener told what other nodes tell from now on, one message at a time. It must neither block nor throw. There
     * may be several.
     */
    void subscribe(Topic topic, Consumer<byte[]> listener);

    /** @throws IllegalArgumentException if a message of so many bytes is none, or too large */
    static void check(int bytes) {
        if (bytes < 1 || bytes > MAX) {
            throw new IllegalArgumentException("A message to other nodes of " + bytes + " bytes: use 1 to " + MAX);
        }
    }
}
