package dev.orderly.http.gateway;

import dev.orderly.http.stream.StreamedExchange;
import dev.orderly.trace.LogContext;
import dev.orderly.trace.TraceContext;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpClientConnection;
import io.vertx.core.internal.ContextInternal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way to an origin, until the answer begins. All fields belong to the client connection's event
 * loop.
 */
final class ForwardedExchange {
    private static final Logger LOG = LoggerFactory.getLogger(ForwardedExchange.class);
    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE");
    /** The wait for a 100 is bounded (RFC 9110, section 10.1.1). */
    private static final Duration CONTINUE = Duration.ofSeconds(1);

    private final Forwarder to;
    private final StreamedExchange exchange;
    private final HttpServerRequest request;
    private final boolean body;
    private final boolean upgrade;
    private OriginPool pool;
    private @Nullable LoopConnections connections;
    private long began;
    private @Nullable HttpClientRequest outbound;
    private @Nullable OriginResponse returning;
    private @Nullable BodyFlow flow;
    private boolean retried;
    private boolean failed;

    ForwardedExchange(Forwarder to, StreamedExchange exchange) {
        this.to = to;
        this.exchange = exchange;
        this.request = exchange.request();
        this.pool = to.pool(ForwardKind.of(request));
        this.body = pool.kind() == ForwardKind.UPLOAD;
        this.upgrade = pool.kind() == ForwardKind.TUNNEL;
    }

    void begin() {
        String expected = exchange.head().header("Expect");
        if (expected != null && !expected.equalsIgnoreCase("100-continue")) {
            throw new ProblemException(ProblemType.EXPECTATION,
                    "The only supported expectation is 100-continue: leave Expect out");
        }
        String length = exchange.head().header("Content-Length");
        if (length != null && (length.length() > 18 || Long.parseLong(length) > to.limits().bodyBytes())) {
            throw new ProblemException(BodyFlow.tooLarge(to.limits().bodyBytes()));
        }
        Optional<Problem> full = pool.take(exchange);
        if (full.isPresent()) {
            refuse(full.get());
            return;
        }
        exchange.onEnd(this::giveBack);
        exchange.onLost(this::lost);
        if (pool.kind() == ForwardKind.STREAM) {
            exchange.lasts();
        }
        if (!body) {
            connect();
            return;
        }
        BodyFlow sent = new BodyFlow(exchange, to.limits(), to.clocks(),
                new BodyFlow.Events(this::gathered, this::awaitHead, this::refuse));
        flow = sent;
        if (expected == null || request.version() == HttpVersion.HTTP_1_0) {
            sent.start();
        } else {
            connect(); // the origin may refuse the body
        }
    }

    private void giveBack() {
        pool.give(exchange);
        if (connections != null) {
            connections.give();
        }
    }

    /** A complete body occupies the origin no longer than a page does, so its request moves to the share of pages. */
    private void gathered() {
        if (exchange.isOver() || failed) {
            return;
        }
        if (flow != null && flow.isWhole()) {
            OriginPool pages = to.pool(ForwardKind.PAGE);
            Optional<Problem> full = pages.take(exchange);
            if (full.isPresent()) {
                refuse(full.get());
                return;
            }
            pool.give(exchange);
            pool = pages;
        }
        connect();
    }

    private void connect() {
        began = to.clocks().time().nanos();
        RequestHead head = exchange.head();
        String target = head.query() == null ? head.path() : head.path() + "?" + head.query();
        if (connections == null) {
            connections = pool.reserve(ContextInternal.current());
        }
        connections.client().request(to.request().setMethod(request.method()).setURI(target))
                .onComplete((connected, thrown) -> {
                    if (connected == null) {
                        broken(thrown);
                    } else if (exchange.isOver() || failed) {
                        connected.exceptionHandler(_ -> {}).reset();
                    } else {
                        send(connected);
                    }
                });
    }

    private void send(HttpClientRequest connected) {
        outbound = connected;
        connected.exceptionHandler(this::broken);
        to.headers().write(exchange.head(), request.version(), exchange.additions(), connected.headers());
        if (upgrade) {
            WebSocketTunnel.ask(connected);
            connected.connect().onComplete(this::answered);
            awaitHead();
            return;
        }
        connected.response().onComplete(this::answered);
        connected.earlyHintsHandler(hints -> {
            if (returning == null && !exchange.isOver() && request.version() != HttpVersion.HTTP_1_0) {
                request.response().writeEarlyHints(OriginResponse.endToEnd(hints));
            }
        });
        BodyFlow sent = flow;
        if (sent == null) {
            connected.end();
            awaitHead();
        } else {
            sendBody(connected, sent);
        }
    }

    private void sendBody(HttpClientRequest connected, BodyFlow sent) {
        if (request.version() == HttpVersion.HTTP_2 && sent.isWhole()) {
            connected.putHeader("Content-Length", Long.toString(sent.bytes()));
        } else if (!request.headers().contains("Content-Length")) {
            connected.setChunked(true);
        }
        if (sent.isStarted()) {
            sent.to(connected);
            return;
        }
        connected.putHeader("Expect", "100-continue");
        connected.continueHandler(_ -> sendAfterContinue(connected, sent));
        connected.writeHead();
        exchange.startTimer(CONTINUE, () -> sendAfterContinue(connected, sent));
    }

    private void sendAfterContinue(HttpClientRequest connected, BodyFlow sent) {
        exchange.stopTimer();
        if (!exchange.isOver() && returning == null && sent.start()) {
            sent.to(connected);
            request.response().writeContinue();
        }
    }

    /** Starts the wait for the answer; the origin has the complete request. */
    private void awaitHead() {
        if (returning == null) {
            Duration wait = to.limits().head();
            exchange.startTimer(wait, () -> {
                try (LogContext _ = logContext()) {
                    to.log().warn("Origin {} did not begin its answer within {} s", to.origin().uri(),
                            wait.toSeconds());
                }
                fail(new Problem(ProblemType.GATEWAY_TIMEOUT, "The site did not answer within " + wait.toSeconds()
                        + " s. Whether the request was done is not known."));
            });
        }
    }

    private void answered(@Nullable HttpClientResponse response, @Nullable Throwable thrown) {
        if (response == null) {
            broken(thrown);
            return;
        }
        exchange.stopTimer();
        response.exceptionHandler(this::broken);
        HttpClientRequest sent = outbound;
        if (sent == null || exchange.isOver() || failed) {
            return;
        }
        int status = response.statusCode();
        if (status < 200 && !(status == 101 && upgrade)) {
            fail(badGateway());
            return;
        }
        if (OriginResponse.isEncodedOtherwise(response.headers())) {
            LOG.debug("Origin {} uses a transfer coding that was not requested", to.origin().uri());
            fail(badGateway());
            return;
        }
        record(status, status >= 500 && status != 501 && status != 505);
        OriginResponse started = new OriginResponse(exchange, sent, response, to);
        returning = started;
        if (status == 101) {
            new WebSocketTunnel(to, exchange, response, started).open();
        } else {
            started.begin(upgrade || (flow != null && !flow.isDone()));
        }
    }

    /** The origin cannot be reached, or the connection was lost. */
    private void broken(@Nullable Throwable cause) {
        if (exchange.isOver() || failed) {
            return;
        }
        HttpClientRequest sent = outbound;
        if (returning != null) {
            LOG.debug("Origin {} broke off its answer: {}", to.origin().uri(), String.valueOf(cause));
            stop();
            exchange.cut();
        } else if (sent != null && cause instanceof HttpClosedException && mayRetry(sent)) {
            retried = true;
            outbound = null;
            exchange.stopTimer();
            connect();
        } else {
            Problem problem;
            try (LogContext _ = logContext()) {
                problem = OriginFailures.problem(to, cause);
            }
            fail(problem);
        }
    }

    /** Lines about this request name its room and its trace. */
    private LogContext logContext() {
        String room = null;
        TraceContext trace = exchange.head().trace();
        for (Header header : exchange.additions().forwarded()) {
            if (header.name().equals("Orderly-Room")) {
                room = header.value();
            } else if (header.name().equals(TraceContext.PARENT)) {
                trace = TraceContext.of(List.of(header.value()), List.of());
            }
        }
        return LogContext.ofRoom(room).with(trace);
    }

    /** Whether to retry: once, for an idempotent request on a connection that had been used before. */
    private boolean mayRetry(HttpClientRequest sent) {
        return !retried && !body && !upgrade && IDEMPOTENT.contains(request.method().name())
                && sent.connection() instanceof HttpClientConnection used && used.lastResponseReceivedTimestamp() > 0;
    }

    private Problem badGateway() {
        return OriginFailures.problem(to, null);
    }

    private void fail(Problem problem) {
        record(problem.type().status(), problem.type() != ProblemType.ORIGIN_BUSY);
        refuse(problem);
    }

    /** Answers in place of the origin. An answer that has begun is cut instead. */
    private void refuse(Problem problem) {
        failed = true;
        stop();
        if (returning == null) {
            exchange.refuse(problem);
        } else {
            exchange.cut();
        }
    }

    private void lost() {
        failed = true;
        stop();
    }

    private void stop() {
        exchange.stopTimer();
        if (flow != null) {
            flow.stop();
        }
        if (outbound != null) {
            outbound.reset();
        }
    }

    private void record(int status, boolean failure) {
        long nanos = to.clocks().time().nanos() - began;
        exchange.answering(status, nanos);
        if (exchange.additions().traffic() != null) {
            exchange.additions().traffic().record(Duration.ofNanos(nanos), failure);
        }
    }
}
