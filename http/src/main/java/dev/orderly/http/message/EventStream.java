package dev.orderly.http.message;

import dev.orderly.http.listener.HttpLimits;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An open answer of type {@code text/event-stream}. Thread-safe, never blocks. Writes of one thread keep their order.
 *
 * <p>At most {@value #BUFFER} bytes may be pending; a stream of a slower client is cut off. A connection is also closed
 * after {@link HttpLimits#idle} without a byte: write a comment line more often than that. The stream ends when the
 * listener closes.
 */
public final class EventStream {
    /** Most bytes pending for one client. */
    public static final int BUFFER = 256 << 10;

    private final PacedWrites writes;
    private final HttpServerResponse response;
    private final Runnable whenEnded;
    private final AtomicInteger pending = new AtomicInteger();
    private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();

    /**
     * A stream whose head is written.
     *
     * @param writes the writes of its event loop
     * @param whenEnded called on the event loop after an end from this side is written
     */
    public EventStream(PacedWrites writes, HttpServerResponse response, Runnable whenEnded) {
        this.writes = writes;
        this.response = response;
        this.whenEnded = whenEnded;
    }

    /**
     * Sends whole events, or a comment. The array must not be changed afterwards.
     *
     * @return false if the stream is closed, or was cut off because the client is too slow
     */
    public boolean write(byte[] events) {
        if (!isOpen()) {
            return false;
        }
        if (pending.addAndGet(events.length) > BUFFER) {
            gone();
            writes.add(response::reset);
            return false;
        }
        writes.add(() -> {
            if (!response.ended() && !response.closed()) {
                response.write(Buffer.buffer(events)).onComplete(_ -> pending.addAndGet(-events.length));
            }
        });
        return true;
    }

    /** Ends the stream after pending events. Idempotent. A browser connects again; answer it 204 to stop that. */
    public void close() {
        if (isOpen()) {
            gone();
            writes.add(() -> {
                if (!response.ended() && !response.closed()) {
                    response.end().onComplete(_ -> whenEnded.run());
                }
            });
        }
    }

    /**
     * Registers an action that runs once when either side closes the stream; immediately if it is closed. The action
     * must not block.
     */
    public void onClose(Runnable action) {
        var _ = closed.thenRun(action);
    }

    public boolean isOpen() {
        return !closed.isDone();
    }

    /** Marks the stream as closed by either side. */
    public void gone() {
        closed.complete(null);
    }
}
