package dev.orderly.servlet.exchange;

import dev.orderly.time.Time;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.RequestFailures;
import dev.orderly.web.route.ExchangeContext;
import dev.orderly.web.route.RequestRouter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Serves requests of a container by routers. A request that waits for the store takes one of a few threads of the
 * container; without one it waits asynchronously, or is served by what the match offers meanwhile. Thread-safe. Needs
 * asynchronous support of the filter or servlet.
 */
public final class ServletTransport implements AutoCloseable {
    /** The most that a request waits for its decision. */
    static final Duration ANSWER = Duration.ofSeconds(10);

    private final StreamWriter writer;
    private final Semaphore waits;
    private final RequestFailures failures;

    /** What follows in the container's own way, such as the rest of a filter chain. */
    @FunctionalInterface
    public interface Continuation {
        /**
         * @param match what the router decided
         * @param additions of the router, for the request and for its answer
         */
        void proceed(RequestRouter.Match.ByTransport match, RequestHead head, ExchangeContext additions)
                throws IOException, ServletException;
    }

    /** @param waits threads of the container that may wait for the store at a time; virtual ones are not counted */
    public ServletTransport(int waits, Time time) {
        this.writer = new StreamWriter(time);
        this.waits = new Semaphore(waits);
        this.failures = new RequestFailures(time);
    }

    /** @param rest is called for a match of the container's own kind, on this thread */
    public void serve(RequestRouter router, HttpServletRequest request, HttpServletResponse response,
            Continuation rest) throws IOException, ServletException {
        new ServletExchange(this, router, request, response, rest).begin();
    }

    StreamWriter writer() {
        return writer;
    }

    Semaphore waits() {
        return waits;
    }

    RequestFailures failures() {
        return failures;
    }

    /** As {@link StreamingPart#endStreams}. */
    public void endStreams() {
        writer.end();
    }

    /** Ends all event streams. */
    @Override
    public void close() {
        writer.close();
    }
}
