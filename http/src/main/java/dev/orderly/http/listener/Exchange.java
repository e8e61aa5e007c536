package dev.orderly.http.listener;

import dev.orderly.http.listener.Endpoint.BodyLimit;
import dev.orderly.http.problem.Problem;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Problems;
import dev.orderly.http.problem.Refusal;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its answer: head checked, body collected within its limit and deadline, endpoint called on a virtual
 * thread, answer written. All fields belong to the connection's event loop.
 */
final class Exchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final long NO_TIMER = -1;
    /** A body nobody wants is read on for this long, so that its sender sees the answer before the connection ends. */
    private static final long LINGER_MILLIS = 2_000;
    private static final long LINGER_BYTES = 8 << 20;

    private final Exchanges all;
    private final HttpServerRequest request;
    private final Context loop;
    private Buffer body = Buffer.buffer();
    private long timer = NO_TIMER;
    private boolean holdsRequest;
    private boolean working;
    private boolean answered;
    private int heldBytes;
    private long drained;

    Exchange(Exchanges all, HttpServerRequest request) {
        this.all = all;
        this.request = request;
        this.loop = all.vertx.getOrCreateContext();
    }

    void begin() {
        Site.Match match;
        BodyLimit limit;
        try {
            match = all.site.match(StrictHead.read(request));
            limit = match.endpoint().body().limit(match.head());
            checkExpectation(match.head());
            checkLength(match.head(), limit);
        } catch (Refusal refusal) {
            refuse(refusal.problem());
            return;
        } catch (RuntimeException e) {
            refuse(Problems.of(e));
            return;
        }
        if (!all.intake.takeRequest()) {
            refuse(Problems.overloaded("Too many requests are under way here."));
            return;
        }
        holdsRequest = true;
        request.exceptionHandler(this::lost);
        if (Head.announcesBody(request.headers())) {
            read(match, limit);
        } else {
            request.endHandler(_ -> run(match));
        }
    }

    private static void checkExpectation(Head head) {
        String expected = head.header("Expect");
        if (expected != null && !expected.equalsIgnoreCase("100-continue")) {
            throw new Refusal(ProblemType.EXPECTATION, "Only 100-continue can be expected here: leave Expect out");
        }
    }

    private static void checkLength(Head head, BodyLimit limit) {
        String length = head.header("Content-Length");
        if (length != null && (length.length() > 10 || Long.parseLong(length) > limit.bytes())) {
            throw new Refusal(limit.tooLarge());
        }
    }

    private void read(Site.Match match, BodyLimit limit) {
        timer = all.vertx.setTimer(all.limits.body().toMillis(), _ -> refuse(new Problem(ProblemType.TOO_SLOW,
                "The body was not complete after " + all.limits.body().toSeconds() + " s: send it faster")));
        request.handler(chunk -> {
            if (answered) {
                drain(chunk.length());
            } else if (heldBytes + chunk.length() > limit.bytes()) {
                refuse(limit.tooLarge());
            } else if (!all.intake.takeBytes(chunk.length())) {
                refuse(Problems.overloaded("The bodies under way here take all the room there is."));
            } else {
                heldBytes += chunk.length();
                body.appendBuffer(chunk);
            }
        });
        request.endHandler(_ -> {
            if (answered) {
                request.connection().close();
            } else {
                run(match);
            }
        });
        if (match.head().headers().contains("Expect")) {
            request.response().writeContinue();
        }
    }

    /** The client went away, or its body is not framed as it said. Work that has begun goes on and keeps its room. */
    private void lost(Throwable cause) {
        LOG.debug("A request ended early: {}", cause.toString());
        if (!working) {
            stopTimer();
            answered = true;
            giveBack();
        }
        request.connection().close();
    }

    private void run(Site.Match match) {
        stopTimer();
        working = true;
        Call call = new Call(match.head(), body.getBytes());
        body = Buffer.buffer();
        timer = all.vertx.setTimer(all.limits.answer().toMillis(), _ -> answer(Answer
                .problem(Problems.unanswered(all.limits.answer()), call.head().path())));
        try {
            all.workers.execute(() -> {
                Answer answer = answerOf(match.endpoint(), call);
                loop.runOnContext(_ -> {
                    giveBack();
                    answer(answer);
                });
            });
        } catch (RejectedExecutionException _) {
            giveBack();
            answer(Answer.problem(Problems.overloaded("This server is stopping."), call.head().path()));
        }
    }

    private static Answer answerOf(Endpoint endpoint, Call call) {
        try {
            return endpoint.action().answer(call);
        } catch (Throwable e) { // whatever an endpoint throws ends its request, never this listener's work
            return Answer.problem(Problems.of(e), call.head().path());
        }
    }

    private void answer(Answer answer) {
        stopTimer();
        HttpServerResponse response = request.response();
        if (answered || response.closed()) {
            return;
        }
        answered = true;
        boolean withBody = !request.method().name().equals("HEAD");
        Exchanges.write(response, answer, withBody).onComplete(_ -> all.connections.answered(request.connection()));
    }

    /** Answers before the body is there. What still comes is read for a while and dropped, then the connection ends. */
    private void refuse(Problem problem) {
        stopTimer();
        if (answered) {
            return;
        }
        int question = request.uri().indexOf('?');
        Answer answer = Answer.problem(problem, question < 0 ? request.uri() : request.uri().substring(0, question));
        boolean linger = Head.announcesBody(request.headers());
        if (!linger) {
            answer(answer);
            return;
        }
        answered = true;
        giveBack();
        body = Buffer.buffer();
        if (!request.isEnded()) {
            request.handler(chunk -> drain(chunk.length()));
            request.endHandler(_ -> request.connection().close());
            request.exceptionHandler(_ -> request.connection().close());
        }
        Exchanges.write(request.response().putHeader("Connection", "close"), answer, true)
                .onComplete(_ -> all.vertx.setTimer(LINGER_MILLIS, _ -> request.connection().close()));
    }

    private void drain(int bytes) {
        drained += bytes;
        if (drained > LINGER_BYTES) {
            request.connection().close();
        }
    }

    private void giveBack() {
        if (holdsRequest) {
            holdsRequest = false;
            all.intake.giveRequest();
            all.intake.giveBytes(heldBytes);
            heldBytes = 0;
        }
    }

    private void stopTimer() {
        if (timer != NO_TIMER) {
            all.vertx.cancelTimer(timer);
            timer = NO_TIMER;
        }
    }
}
