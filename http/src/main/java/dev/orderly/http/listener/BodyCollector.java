package dev.orderly.http.listener;

import dev.orderly.http.stream.ReceivedHeaders;
import dev.orderly.web.message.Request;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.Endpoint.BodyLimit;
import dev.orderly.web.route.RequestRouter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An exchange whose body is collected within its limit and deadline before an endpoint is called on a virtual thread.
 * All fields belong to the connection's event loop.
 */
final class BodyCollector {
    private static final Logger LOG = LoggerFactory.getLogger(BodyCollector.class);

    private final Exchange exchange;
    private final HttpServerRequest request;
    private final Endpoint endpoint;
    private final RequestHead head;
    private final HttpLimits limits;
    private Buffer body = Buffer.buffer();

    BodyCollector(Exchange exchange, RequestRouter.Match.Collected match) {
        this.exchange = exchange;
        this.request = exchange.request();
        this.endpoint = match.endpoint();
        this.head = match.head();
        this.limits = exchange.context.limits;
    }

    void begin() {
        BodyLimit limit = endpoint.body().limit(head);
        checkExpectation();
        checkLength(limit);
        if (!exchange.takePush()) {
            return;
        }
        request.exceptionHandler(this::lost);
        exchange.unwatch(); // of an earlier wait
        if (RequestHead.announcesBody(ReceivedHeaders.of(request))) {
            read(limit);
        } else {
            request.endHandler(_ -> run());
        }
        request.resume();
    }

    private void checkExpectation() {
        String expected = head.header("Expect");
        if (expected != null && !expected.equalsIgnoreCase("100-continue")) {
            throw new ProblemException(ProblemType.EXPECTATION,
                    "The only supported expectation is 100-continue: leave Expect out");
        }
    }

    private void checkLength(BodyLimit limit) {
        String length = head.header("Content-Length");
        if (length != null && (length.length() > 10 || Long.parseLong(length) > limit.bytes())) {
            throw new ProblemException(limit.tooLarge());
        }
    }

    private void read(BodyLimit limit) {
        exchange.startTimer(limits.body(), () -> refuse(new Problem(ProblemType.TOO_SLOW,
                "The body was not complete after " + limits.body().toSeconds() + " s: send it faster")));
        request.handler(chunk -> {
            if (body.length() + chunk.length() > limit.bytes()) {
                refuse(limit.tooLarge());
            } else if (!exchange.takeBytes(chunk.length())) {
                refuse(Problems.overloaded("The bodies of pending requests take all the memory there is for them."));
            } else {
                body.appendBuffer(chunk);
            }
        });
        request.endHandler(_ -> run());
        if (head.headers().contains("Expect")) {
            request.response().writeContinue();
        }
    }

    private void refuse(Problem problem) {
        body = Buffer.buffer();
        exchange.refuse(problem);
    }

    /** The client went away before its body was complete, or the body is framed incorrectly. */
    private void lost(Throwable cause) {
        LOG.debug("A request ended early: {}", cause.toString());
        exchange.cut();
    }

    private void run() {
        Request call = new Request(head, body.getBytes());
        body = Buffer.buffer();
        exchange.startTimer(limits.answer(), () -> exchange.refuse(Problems.unanswered(limits.answer())));
        exchange.reserved().works();
        exchange.reportLoss(() -> call.gone().complete(null));
        try {
            exchange.context.workers.execute(() -> {
                Response answer = answerOf(call);
                exchange.loop.runOnContext(_ -> {
                    exchange.reserved().worked();
                    exchange.answer(answer);
                });
            });
        } catch (RejectedExecutionException _) {
            exchange.reserved().worked();
            exchange.refuse(Problems.overloaded("This server is stopping."));
        }
    }

    private Response answerOf(Request call) {
        try {
            return endpoint.action().answer(call);
        } catch (Throwable e) { // a failure of an endpoint ends its request only
            return exchange.refusal(exchange.context.failures.problem(e));
        }
    }
}
