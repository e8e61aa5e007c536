package dev.orderly.http.gateway;

import dev.orderly.http.listener.Streaming;
import dev.orderly.http.problem.Problem;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Problems;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request's body on its way to the origin: bounded in size, and in time by a least rate. It is gathered first, whole if it
 * is small, so that a client that sends nothing keeps no connection to the origin; once it has one it may not stall. Time in
 * which the origin does not take more is not held against the client. On the client connection's event loop.
 */
final class BodyFlow {
    /** What a client may take besides its bytes. */
    private static final Duration GRACE = Duration.ofSeconds(30);
    /** Bytes a second that a client sends at least. */
    private static final long RATE = 16 << 10;
    /** Bytes that are worth a connection to the origin. */
    private static final int GATHERED_MAX = 64 << 10;

    private final Streaming exchange;
    private final HttpServerRequest source;
    private final ForwardLimits limits;
    private final Clocks clocks;
    private final Events events;
    private Buffer gathered = Buffer.buffer();
    private @Nullable HttpClientRequest sink;
    private boolean started;
    private boolean whole;
    private boolean done;
    private long bytes;
    private long deadline;
    private long heardAt;
    private long pausedAt;
    private long timer = -1;

    /**
     * What a body tells whoever forwards it.
     *
     * @param gathered it is whole, or large enough that a connection is worth its while: {@link #to} goes on
     * @param sent the origin has it whole
     * @param failed nothing more is sent on
     */
    record Events(Runnable gathered, Runnable sent, Consumer<Problem> failed) {}

    BodyFlow(Streaming exchange, ForwardLimits limits, Clocks clocks, Events events) {
        this.exchange = exchange;
        this.source = exchange.request();
        this.limits = limits;
        this.clocks = clocks;
        this.events = events;
    }

    /** Reads. Whether it was not started before. */
    boolean start() {
        if (started) {
            return false;
        }
        started = true;
        heardAt = clocks.time().nanos();
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

    /** Whether all of it is here. */
    boolean isWhole() {
        return whole;
    }

    /** Whether nothing more is to be sent. */
    boolean isDone() {
        return done;
    }

    /** What was gathered, and what comes from now on, goes to the origin. */
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

    /** Nothing more is sent on. */
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
        heardAt = clocks.time().nanos();
        deadline += Duration.ofSeconds(1).toNanos() * chunk.length() / RATE;
        HttpClientRequest to = sink;
        if (bytes > limits.bodyBytes()) {
            fail(tooLarge(limits.bodyBytes()));
        } else if (to != null) {
            to.write(chunk);
            backOff(to);
        } else if (!exchange.takeBytes(chunk.length())) {
            fail(Problems.overloaded("The bodies under way here take all the room there is."));
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
            heardAt = clocks.time().nanos();
            deadline += heardAt - pausedAt;
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
        long stalled = heardAt + limits.stall().toNanos();
        long next = sink != null && stalled - deadline < 0 ? stalled : deadline;
        long left = Duration.ofNanos(next - clocks.time().nanos()).toMillis();
        long most = Math.min(GRACE.toMillis(), limits.stall().toMillis());
        timer = clocks.vertx().setTimer(Math.clamp(left, 1, most), _ -> look());
    }

    private void look() {
        if (pausedAt == 0 && clocks.time().reached(deadline)) {
            fail(new Problem(ProblemType.TOO_SLOW, "The body came too slowly: send at least " + RATE
                    + " bytes a second"));
        } else if (pausedAt == 0 && sink != null && clocks.time().reached(heardAt + limits.stall().toNanos())) {
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
                + " bytes this site takes: send a smaller one");
    }
}
