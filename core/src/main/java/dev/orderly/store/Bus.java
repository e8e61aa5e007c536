package dev.orderly.store;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * Messages between the nodes of a store. A message reaches every other node that listens at that moment, in the order
 * in which this node published, and never this node itself.
 *
 * <p>At most once: a message that is published while the connection is broken, or faster than it can be sent, is lost
 * to some or all nodes. Nothing may depend on it alone: it shortens waits for data that is polled anyway, and carries
 * data that is not kept.
 *
 * <p>Thread-safe. Ends with its store.
 */
public interface Bus {
    /** The most bytes of a message. */
    int MAX = 256 << 10;

    /** The bus of a store that one process owns: there are no other nodes. */
    Bus ALONE = new Bus() {
        @Override
        public void publish(Topic topic, byte[] message) {}

        @Override
        public void subscribe(Topic topic, Consumer<byte[]> listener) {}
    };

    /** The subject of a message. */
    enum Topic {
        /** Queues with new jobs, or with jobs that may be claimed again. */
        WORK,
        /** Live messages to users. */
        LIVE,
        /** Reports of nodes about themselves, and requests to them. */
        NODES,
        /** Changes of settings that every node reads from the store. */
        SETTINGS
    }

    /**
     * Queues a message for sending. Never blocks; does nothing after the store was closed.
     *
     * @param message 1 to {@value #MAX} bytes, not changed afterwards
     * @throws IllegalArgumentException if it is empty or too large
     */
    void publish(Topic topic, byte[] message);

    /**
     * Adds a listener for messages that other nodes publish from now on. It receives one message at a time, and must
     * neither block nor throw. There may be several.
     */
    void subscribe(Topic topic, Consumer<byte[]> listener);

    /**
     * A present fault that loses messages or delays them, as a line for the operator; empty when all is well. Jobs and
     * rooms go on without the bus. Answers from memory.
     */
    default Optional<String> fault() {
        return Optional.empty();
    }

    /** @throws IllegalArgumentException if a message of so many bytes is empty or too large */
    static void check(int bytes) {
        if (bytes < 1 || bytes > MAX) {
            throw new IllegalArgumentException("A message to other nodes of " + bytes + " bytes: use 1 to " + MAX);
        }
    }
}
