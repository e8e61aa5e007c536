package dev.orderly.servlet.exchange;

import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.path.RequestPath;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Problems;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.ExchangeContext;
import dev.orderly.web.route.RequestRouter;
import dev.orderly.web.route.RequestRouter.Match;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A request and its answer. */
final class ServletExchange {
    private final ServletTransport transport;
    private final RequestRouter router;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final ServletTransport.Continuation rest;
    private ExchangeContext additions = ExchangeContext.NONE;
    private @Nullable RequestHead head;

    ServletExchange(ServletTransport transport, RequestRouter router, HttpServletRequest request,
            HttpServletResponse response, ServletTransport.Continuation rest) {
        this.transport = transport;
        this.router = router;
        this.request = request;
        this.response = response;
        this.rest = rest;
    }

    void begin() throws IOException, ServletException {
        Match match;
        try {
            RequestHead read = ReceivedHead.of(request);
            head = read;
            match = router.match(read);
        } catch (RuntimeException e) {
            refuse(transport.failures().problem(e));
            return;
        }
        serve(match);
    }

    /** @param match of a request that is not asynchronous yet */
    private void serve(Match match) throws IOException, ServletException {
        switch (match) {
            case Match.Added(Match inner, ExchangeContext more) -> {
                additions = additions.and(more);
                serve(inner);
            }
            case Match.Immediate(Response answer) -> answer(answer);
            case Match.Composed(Supplier<Response> answer) -> answer(composed(answer));
            case Match.Deferred deferred -> await(deferred);
            case Match.Collected collected -> collect(collected);
            case Match.Opened opened -> open(opened);
            case Match.ByTransport own -> rest.proceed(own, head(), additions);
        }
    }

    private RequestHead head() {
        if (head == null) {
            throw new IllegalStateException("The head is known only after it was read without error");
        }
        return head;
    }

    // ---- a decision that comes later

    private void await(Match.Deferred deferred) throws IOException, ServletException {
        CompletableFuture<? extends Match> future = deferred.later().toCompletableFuture();
        boolean free = future.isDone() || Thread.currentThread().isVirtual();
        if (!free && !transport.waits().tryAcquire()) {
            crowded(deferred, future);
            return;
        }
        Match decided;
        try {
            decided = future.get(ServletTransport.ANSWER.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            refuse(Problems.unanswered(ServletTransport.ANSWER));
            return;
        } catch (ExecutionException e) {
            refuse(transport.failures().problem(e.getCause() == null ? e : e.getCause()));
            return;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            refuse(Problems.overloaded("The server stops."));
            return;
        } finally {
            if (!free) {
                transport.waits().release();
            }
        }
        serve(decided);
    }

    /** Too many threads of the container wait already: this one goes on, or back. */
    private void crowded(Match.Deferred deferred, CompletableFuture<? extends Match> future)
            throws IOException, ServletException {
        Match now = deferred.meanwhile().get();
        if (now != null) {
            serve(now);
        } else if (!request.isAsyncSupported()) {
            refuse(Problems.overloaded("There are many requests under way."));
        } else {
            Answering answering = answering(ServletTransport.ANSWER, Problems.unanswered(ServletTransport.ANSWER));
            var _ = future.whenComplete((match, thrown) -> answering.with(() -> settled(match, thrown)));
        }
    }

    private Response settled(@Nullable Match match, @Nullable Throwable thrown) {
        if (match == null) {
            Throwable cause = thrown instanceof CompletionException e && e.getCause() != null ? e.getCause() : thrown;
            return refusal(transport.failures().problem(cause == null ? new IllegalStateException("No match") : cause));
        }
        return switch (match) {
            case Match.Added(Match inner, ExchangeContext more) -> {
                additions = additions.and(more);
                yield settled(inner, null);
            }
            case Match.Immediate(Response answer) -> answer;
            case Match.Composed(Supplier<Response> answer) -> composed(answer);
            case Match.ByTransport _ -> again();
            case Match.Deferred _,Match.Collected _,Match.Opened _ -> refusal(Problems.overloaded(
                    "There are many requests under way."));
        };
    }

    /**
     * The request may continue, but its thread is gone, and the filters behind it may not be entered on another. A
     * browser repeats the request, now with the cookies of this answer.
     */
    private Response again() {
        boolean safe = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        if (safe && (request.getHeader("Cookie") != null || request.getHeader("Sec-Fetch-Mode") != null)) {
            String query = head().query();
            String context = request.getServletContext().getContextPath();
            return Response.empty(302).withHeader("Location",
                    context + RequestPath.of(head().path()).wire() + (query == null ? "" : "?" + query));
        }
        return refusal(Problems.overloaded("There are many requests under way."));
    }

    // ---- answers

    private Response composed(Supplier<Response> answer) {
        try {
            return answer.get();
        } catch (RuntimeException e) {
            return refusal(transport.failures().problem(e));
        }
    }

    private Response refusal(Problem problem) {
        String path = head == null ? request.getRequestURI() : head().path();
        return router.refusal(problem, new RequestRouter.Refused(request.getMethod(), request.getServerName(), path,
                name -> Collections.list(request.getHeaders(name))));
    }

    private void refuse(Problem problem) throws IOException {
        answer(refusal(problem));
    }

    private void answer(Response answer) throws IOException {
        additions.ended().accept(answer.status());
        AnswerWriter.write(request, response, answer, additions.answered());
    }

    /** Makes the request asynchronous; without an answer in time it is answered by a problem. */
    private Answering answering(Duration limit, Problem late) {
        AsyncContext async = request.startAsync(request, response);
        async.setTimeout(limit.toMillis());
        Answering answering = new Answering(async, this::answer, () -> refusal(late));
        async.addListener(answering);
        return answering;
    }

    // ---- requests with a body, and streams

    private void collect(Match.Collected collected) throws IOException {
        Endpoint endpoint = collected.endpoint();
        RequestBody body;
        try {
            body = new RequestBody(request, endpoint.body().limit(collected.head()));
        } catch (ProblemException refused) {
            refuse(refused.problem());
            return;
        }
        Supplier<Response> work = () -> {
            try {
                return endpoint.action().answer(body.read(collected.head()));
            } catch (RuntimeException | IOException e) {
                return refusal(transport.failures().problem(e));
            }
        };
        if (request.isAsyncSupported()) {
            answering(RequestBody.LONGEST, Problems.unanswered(RequestBody.LONGEST)).with(work);
        } else {
            answer(work.get());
        }
    }

    private void open(Match.Opened opened) throws IOException {
        if (RequestHead.announcesBody(head().headers())) {
            refuse(Endpoint.noBody(request.getMethod(), head().path()));
            return;
        }
        if (!request.isAsyncSupported()) {
            refuse(new Problem(ProblemType.UNAVAILABLE, "Event streams need asynchronous support: switch it on for each"
                    + " filter of this path (asyncSupported, async-supported)"));
            return;
        }
        if (request.getMethod().equals("HEAD")) {
            beginEvents(opened);
            return;
        }
        AsyncContext async = request.startAsync(request, response);
        async.setTimeout(0);
        ContainerStream stream = new ContainerStream(transport.writer(), async, response.getOutputStream());
        async.addListener(stream);
        try {
            opened.opened().accept(stream);
        } catch (RuntimeException e) {
            refuse(transport.failures().problem(e));
            stream.end();
            return;
        }
        beginEvents(opened);
        transport.writer().serve(stream);
        response.getOutputStream().setWriteListener(stream);
    }

    private void beginEvents(Match.Opened opened) {
        AnswerWriter.beginEvents(response, opened.headers(), additions.answered());
        additions.ended().accept(response.getStatus());
    }
}
