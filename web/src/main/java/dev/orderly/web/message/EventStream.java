package dev.orderly.web.message;

/**
 * An open answer of type {@code text/event-stream}. Thread-safe, never blocks. Writes of one thread keep their order.
 *
 * <p>At most {@value #BUFFER} bytes may be pending; a stream of a slower client is cut off. A transport may also close
 * a stream that is silent for too long: write a comment line more often than that. The stream ends when its server
 * stops.
 */
public interface EventStream {
    /** Most bytes pending for one client. */
    int BUFFER = 256 << 10;

    /**
     * Sends whole events, or a comment. The array must not be changed afterwards.
     *
     * @return false if the stream is closed, or was cut off because the client is too slow
     */
    boolean write(byte[] events);

    /** Ends the stream after pending events. Idempotent. A browser connects again; answer it 204 to stop that. */
    void close();

    /**
     * Registers an action that runs once when either side closes the stream; immediately if it is closed. The action
     * must not block.
     */
    void onClose(Runnable action);

    boolean isOpen();
}
