package dev.orderly.servlet.exchange;

import dev.orderly.web.message.Response;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An asynchronous request that gets exactly one answer, on a virtual thread. */
final class Answering implements AsyncListener {
    private static final Logger LOG = LoggerFactory.getLogger(Answering.class);

    private final AsyncContext async;
    private final Write write;
    private final Supplier<Response> late;
    private final AtomicBoolean answered = new AtomicBoolean();

    /** Writes an answer; may block. */
    @FunctionalInterface
    interface Write {
        void write(Response answer) throws IOException;
    }

    /** @param late the answer when time is up */
    Answering(AsyncContext async, Write write, Supplier<Response> late) {
        this.async = async;
        this.write = write;
        this.late = late;
    }

    /** Answers by the result of some work, which may block. Returns at once. */
    void with(Supplier<Response> work) {
        var _ = Thread.ofVirtual().name("orderly-answer").start(() -> finish(work.get()));
    }

    private void finish(Response answer) {
        if (answered.getAndSet(true)) {
            answer.lost().run();
            return;
        }
        try {
            write.write(answer);
        } catch (IOException | IllegalStateException e) {
            LOG.debug("An answer did not reach its client: {}", e.toString());
            answer.lost().run();
        }
        try {
            async.complete();
        } catch (IllegalStateException e) {
            LOG.debug("The container has ended a request already: {}", e.toString());
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        finish(late.get());
    }

    @Override
    public void onError(AsyncEvent event) {
        answered.set(true); // the container ends the request
    }

    @Override
    public void onComplete(AsyncEvent event) {
        answered.set(true);
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // nobody else starts it
    }
}
