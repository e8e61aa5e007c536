package dev.orderly.http.stream;

import dev.orderly.web.message.EventStream;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A stream whose writes take turns with the writes of the other streams of its event loop. */
public final class PacedStream implements EventStream {
    private final PacedWrites writes;
    private final HttpServerResponse response;
    private final Runnable whenEnded;
    private final AtomicInteger pending = new AtomicInteger();
    private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();

    /**
     * A stream whose head is written before its first turn to write.
     *
     * @param writes the writes of its event loop
     * @param whenEnded called on the event loop after an end from this side is written
     */
    public PacedStream(PacedWrites writes, HttpServerResponse response, Runnable whenEnded) {
        this.writes = writes;
        this.response = response;
        this.whenEnded = whenEnded;
    }

    @Override
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

    @Override
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

    @Override
    public void onClose(Runnable action) {
        var _ = closed.thenRun(action);
    }

    @Override
    public boolean isOpen() {
        return !closed.isDone();
    }

    /** Marks the stream as closed by either side. */
    public void gone() {
        closed.complete(null);
    }
}
