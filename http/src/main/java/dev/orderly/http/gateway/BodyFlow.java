package dev.orderly.http.gateway;

import dev.orderly.http.stream.StreamedExchange;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request's body on its way to the origin: bounded in size, and in time by a minimum rate. At first the body is
 * gathered, completely if it is small, so that a client that sends nothing occupies no connection to the origin. Once
 * it has a connection the client may not stall. Time in which the origin accepts no more is not counted. Runs on the
 * client connection's event loop.
 */
final class BodyFlow {
    /** The time that a client may take in addition to its bytes. */
    private static final Duration GRACE = Duration.ofSeconds(30);
    /** The minimum rate of a client in bytes a second. */
    private static final long RATE = 16 << 10;
    /** The number of gathered bytes at which a connection to the origin is requested. */
    private static final int GATHERED_MAX = 64 << 10;

    private final StreamedExchange exchange;
    private final HttpServerRequest source;
    private final ForwardLimits limits;
    private final ForwardClock clocks;
    private final Events events;
    private Buffer gathered = Buffer.buffer();
    private @Nullable HttpClientRequest sink;
    private boolean started;
    private boolean whole;
    private boolean done;
    private long bytes;
    private long deadline;
    private long receivedAt;
    private long pausedAt;
    private long timer = -1;

    /**
     * Callbacks to the forwarding code.
     *
     * @param gathered the body is complete, or large enough for a connection: {@link #to} may be called
     * @param sent the origin has the complete body
     * @param failed nothing more is sent
     */
    record Events(Runnable gathered, Runnable sent, Consumer<Problem> failed) {}

    BodyFlow(StreamedExchange exchange, ForwardLimits limits, ForwardClock clocks, Events events) {
        this.exchange = exchange;
        this.source = exchange.request();
        this.limits = limits;
        this.clocks = clocks;
        this.events = events;
    }

    /** Starts reading; false if that was done before. */
    boolean start() {
        if (started) {
            return false;
        }
        started = true;
        receivedAt = clocks.time().nanos();
        deadline = clocks.time().deadline(GRACE);
        source.handler(this::chunk);
        source.endHandler(_ -> end());
        watch();
        source.resume();
        return true;
    }

    boolean isStarted() {
        return started;
    }

    /** Whether the complete body has been received. */
    boolean isWhole() {
        return whole;
    }

    /** The bytes received so far. */
    long bytes() {
        return bytes;
    }

    /** Whether nothing more is to be sent. */
    boolean isDone() {
        return done;
    }

    /** Sends the gathered bytes and all later bytes to the origin. */
    void to(HttpClientRequest request) {
        sink = request;
        Buffer first = gathered;
        gathered = Buffer.buffer();
        exchange.giveBytes(first.length());
        if (whole) {
            stop();
            request.end(first);
            events.sent().run();
            return;
        }
        if (first.length() > 0) {
            request.write(first);
        }
        resume();
        backOff(request);
    }

    /** Stops sending. */
    void stop() {
        done = true;
        gathered = Buffer.buffer();
        clocks.vertx().cancelTimer(timer);
    }

    private void chunk(Buffer chunk) {
        if (done) {
            return;
        }
        bytes += chunk.length();
        receivedAt = clocks.time().nanos();
        deadline += Duration.ofSeconds(1).toNanos() * chunk.length() / RATE;
        HttpClientRequest to = sink;
        if (bytes > limits.bodyBytes()) {
            fail(tooLarge(limits.bodyBytes()));
        } else if (to != null) {
            to.write(chunk);
            backOff(to);
        } else if (!exchange.takeBytes(chunk.length())) {
            fail(Problems.overloaded("The memory for request bodies is used up."));
        } else {
            gathered.appendBuffer(chunk);
            if (gathered.length() >= GATHERED_MAX && pausedAt == 0) {
                pause();
                events.gathered().run();
            }
        }
    }

    private void backOff(HttpClientRequest to) {
        if (to.writeQueueFull()) {
            pause();
            to.drainHandler(_ -> resume());
        }
    }

    private void pause() {
        source.pause();
        pausedAt = clocks.time().nanos();
    }

    private void resume() {
        if (pausedAt != 0) {
            receivedAt = clocks.time().nanos();
            deadline += receivedAt - pausedAt;
            pausedAt = 0;
            source.resume();
        }
    }

    private void end() {
        if (done) {
            return;
        }
        whole = true;
        HttpClientRequest to = sink;
        if (to != null) {
            stop();
            to.end();
            events.sent().run();
        } else if (pausedAt == 0) {
            clocks.vertx().cancelTimer(timer);
            events.gathered().run();
        }
    }

    private void watch() {
        long stalled = receivedAt + limits.stall().toNanos();
        long next = sink != null && stalled - deadline < 0 ? stalled : deadline;
        long left = Duration.ofNanos(next - clocks.time().nanos()).toMillis();
        long most = Math.min(GRACE.toMillis(), limits.stall().toMillis());
        timer = clocks.vertx().setTimer(Math.clamp(left, 1, most), _ -> look());
    }

    private void look() {
        if (pausedAt == 0 && clocks.time().reached(deadline)) {
            fail(new Problem(ProblemType.TOO_SLOW, "The body came too slowly: send at least " + RATE
                    + " bytes a second"));
        } else if (pausedAt == 0 && sink != null && clocks.time().reached(receivedAt + limits.stall().toNanos())) {
            fail(new Problem(ProblemType.TOO_SLOW, "Nothing of the body came for " + limits.stall().toSeconds()
                    + " s: send it without a pause"));
        } else if (!done) {
            watch();
        }
    }

    private void fail(Problem problem) {
        stop();
        events.failed().accept(problem);
    }

    static Problem tooLarge(long most) {
        return new Problem(ProblemType.TOO_LARGE, "The body is larger than the " + most
                + " bytes that this site accepts: send a smaller body");
    }
}
