package dev.orderly.http.gateway;

import dev.orderly.http.problem.Problem;
import dev.orderly.http.problem.ProblemType;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request's body on its way to the origin: bounded in size, and in time by a least rate. Time in which the origin does
 * not take more is not held against the client. On the client connection's event loop.
 */
final class BodyFlow {
    /** What a client may take besides its bytes. */
    private static final Duration GRACE = Duration.ofSeconds(30);
    /** Bytes a second that a client sends at least. */
    private static final long RATE = 16 << 10;

    private final HttpServerRequest source;
    private final HttpClientRequest sink;
    private final long most;
    private final Clocks clocks;
    private @Nullable Runnable onEnd;
    private @Nullable Consumer<Problem> onProblem;
    private boolean started;
    private boolean done;
    private long bytes;
    private long deadline;
    private long pausedAt;
    private long timer = -1;

    BodyFlow(HttpServerRequest source, HttpClientRequest sink, long most, Clocks clocks) {
        this.source = source;
        this.sink = sink;
        this.most = most;
        this.clocks = clocks;
    }

    void onEnd(Runnable action) {
        onEnd = action;
    }

    void onProblem(Consumer<Problem> action) {
        onProblem = action;
    }

    /** Whether it was not started before. */
    boolean start() {
        if (started) {
            return false;
        }
        started = true;
        deadline = clocks.time().deadline(GRACE);
        source.handler(this::chunk);
        source.endHandler(_ -> end());
        watch();
        source.resume();
        return true;
    }

    boolean isDone() {
        return done;
    }

    /** Nothing more is sent on. */
    void stop() {
        done = true;
        clocks.vertx().cancelTimer(timer);
    }

    private void chunk(Buffer chunk) {
        if (done) {
            return;
        }
        bytes += chunk.length();
        deadline += Duration.ofSeconds(1).toNanos() * chunk.length() / RATE;
        if (bytes > most) {
            problem(tooLarge(most));
            return;
        }
        sink.write(chunk);
        if (sink.writeQueueFull()) {
            source.pause();
            pausedAt = clocks.time().nanos();
            sink.drainHandler(_ -> {
                deadline += clocks.time().nanos() - pausedAt;
                pausedAt = 0;
                source.resume();
            });
        }
    }

    private void end() {
        if (!done) {
            stop();
            sink.end();
            if (onEnd != null) {
                onEnd.run();
            }
        }
    }

    private void watch() {
        long left = Duration.ofNanos(deadline - clocks.time().nanos()).toMillis();
        timer = clocks.vertx().setTimer(Math.clamp(left, 1, GRACE.toMillis()), _ -> {
            if (pausedAt == 0 && clocks.time().reached(deadline)) {
                problem(new Problem(ProblemType.TOO_SLOW, "The body came too slowly: send at least " + RATE
                        + " bytes a second"));
            } else if (!done) {
                watch();
            }
        });
    }

    private void problem(Problem problem) {
        stop();
        if (onProblem != null) {
            onProblem.accept(problem);
        }
    }

    static Problem tooLarge(long most) {
        return new Problem(ProblemType.TOO_LARGE, "The body is larger than the " + most
                + " bytes this site takes: send a smaller one");
    }
}
