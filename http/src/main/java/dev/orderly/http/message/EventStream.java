package dev.orderly.http.message;

import dev.orderly.http.listener.HttpLimits;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An open answer of type {@code text/event-stream}. Thread-safe, never blocks. Writes of one thread go out in their order.
 *
 * <p>At most {@value #BUFFER} bytes wait to be taken by the client; one that lets more wait is cut off. A connection is
 * also closed after {@link HttpLimits#idle} without a byte: write a comment line more often than that. When the listener
 * closes, the stream ends.
 */
public final class EventStream {
    /** Bytes that may wait for one client. */
    public static final int BUFFER = 256 << 10;

    private final PacedWrites writes;
    private final HttpServerResponse response;
    private final Runnable whenEnded;
    private final AtomicInteger waiting = new AtomicInteger();
    private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();

    /**
     * A stream whose head is written.
     *
     * @param writes of its event loop
     * @param whenEnded is run on the event loop after an end from this side is written
     */
    public EventStream(PacedWrites writes, HttpServerResponse response, Runnable whenEnded) {
        this.writes = writes;
        this.response = response;
        this.whenEnded = whenEnded;
    }

    /**
     * Sends whole events, or a comment. The array is not to be changed afterwards.
     *
     * @return false if the stream is closed, or was cut off because the client is too slow
     */
    public boolean write(byte[] events) {
        if (!isOpen()) {
            return false;
        }
        if (waiting.addAndGet(events.length) > BUFFER) {
            gone();
            writes.add(response::reset);
            return false;
        }
        writes.add(() -> {
            if (!response.ended() && !response.closed()) {
                response.write(Buffer.buffer(events)).onComplete(_ -> waiting.addAndGet(-events.length));
            }
        });
        return true;
    }

    /** Ends the stream after what was written. Idempotent. A browser connects again; answer it 204 to stop that. */
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

    /** Has it run once, when the stream is closed by either side; at once if it is closed already. Must not block. */
    public void onClose(Runnable action) {
        var _ = closed.thenRun(action);
    }

    public boolean isOpen() {
        return !closed.isDone();
    }

    /** It is closed, by whomever. */
    public void gone() {
        closed.complete(null);
    }
}
