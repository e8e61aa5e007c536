package dev.orderly.servlet.exchange;

import dev.orderly.web.message.EventStream;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A stream over the non-blocking output of a container. All writes are made by {@link StreamWriter}: an open stream
 * takes no thread.
 */
final class ContainerStream implements EventStream, WriteListener, AsyncListener {
    private final StreamWriter writer;
    private final AsyncContext async;
    private final ServletOutputStream out;
    private final Queue<byte[]> pending = new ConcurrentLinkedQueue<>();
    private final AtomicInteger bytes = new AtomicInteger();
    private final AtomicBoolean queued = new AtomicBoolean();
    private final CompletableFuture<@Nullable Void> closed = new CompletableFuture<>();
    private final AtomicBoolean completed = new AtomicBoolean();
    private volatile boolean writable;
    private boolean unsent = true; // the head of the answer

    ContainerStream(StreamWriter writer, AsyncContext async, ServletOutputStream out) {
        this.writer = writer;
        this.async = async;
        this.out = out;
    }

    @Override
    public boolean write(byte[] events) {
        if (!isOpen()) {
            return false;
        }
        if (bytes.addAndGet(events.length) > BUFFER) {
            pending.clear();
            close();
            return false;
        }
        pending.add(events);
        schedule();
        return true;
    }

    @Override
    public void close() {
        if (closed.complete(null)) {
            schedule();
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

    private void schedule() {
        if (!queued.getAndSet(true)) {
            writer.add(this);
        }
    }

    /** Writes what is pending, as far as the client takes it. Runs on the writer's thread. */
    void drain() {
        queued.set(false);
        if (!writable) {
            return; // the container says when
        }
        try {
            while (isReady()) {
                byte[] next = pending.poll();
                if (next != null) {
                    out.write(next);
                    bytes.addAndGet(-next.length);
                    unsent = true;
                } else if (unsent) {
                    unsent = false;
                    out.flush();
                } else {
                    if (!isOpen() && pending.isEmpty()) {
                        complete();
                    }
                    return;
                }
            }
        } catch (IOException | IllegalStateException e) {
            end();
        }
    }

    /** The flag is cleared before the question: the container may answer it on its own thread at once. */
    private boolean isReady() {
        writable = false;
        boolean ready = out.isReady();
        if (ready) {
            writable = true;
        }
        return ready;
    }

    /** Ends the stream and its request now; what is pending is dropped. */
    void end() {
        pending.clear();
        closed.complete(null);
        complete();
    }

    private void complete() {
        if (!completed.getAndSet(true)) {
            try {
                async.complete();
            } catch (IllegalStateException _) {
                // the container has ended the request already
            }
        }
    }

    // ---- the container

    @Override
    public void onWritePossible() {
        writable = true;
        schedule();
    }

    @Override
    public void onError(Throwable failure) {
        end();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        completed.set(true);
        closed.complete(null);
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        end();
    }

    /**
     * The container asks for the end even if the writer has ended the request before: it had refused while it dealt
     * with the error, and would go on to a page of errors.
     */
    @Override
    public void onError(AsyncEvent event) {
        completed.set(false);
        end();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // nobody else starts it
    }
}
