package dev.orderly.http.listener;

import dev.orderly.flow.Quota;
import dev.orderly.http.observe.TrafficObserver;
import dev.orderly.http.stream.PacedStream;
import dev.orderly.http.stream.ReceivedHeaders;
import dev.orderly.http.stream.StreamHandler;
import dev.orderly.http.stream.Streamed;
import dev.orderly.http.stream.StreamedExchange;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.LimitProblems;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.Problems;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.ExchangeContext;
import dev.orderly.web.route.RequestLabel;
import dev.orderly.web.route.RequestRouter;
import dev.orderly.web.route.RequestRouter.Match;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request and its answer: reads the head, asks the router, and runs the resulting match. All fields belong to the
 * connection's event loop.
 */
final class Exchange implements StreamedExchange {
    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    final ListenerContext context;
    final Context loop;
    private final ListenerConnection connection;
    private final HttpServerRequest request;
    private final CapacityReservation reserved;
    private final ExchangeCarrier carrier;
    private ExchangeContext additions = ExchangeContext.NONE;
    private @Nullable RequestHead head;
    private @Nullable String client;
    private @Nullable Runnable onLost;
    private @Nullable Runnable onEnd;
    private boolean timed;
    private boolean understood;
    private boolean collected;
    private boolean over;
    private final long began;
    private boolean reported;
    private RequestLabel label = RequestLabel.OWN;

    Exchange(ListenerContext context, ListenerConnection connection, HttpServerRequest request) {
        this.context = context;
        this.connection = connection;
        this.request = request;
        this.reserved = new CapacityReservation(context.capacity);
        this.loop = context.vertx.getOrCreateContext();
        this.carrier = ExchangeCarrier.of(this, connection);
        this.reported = context.observer.equals(TrafficObserver.NONE);
        this.began = reported ? 0 : context.time.nanos();
    }

    void begin() {
        try {
            if (connection.refusal != null) {
                throw new ProblemException(connection.refusal);
            }
            RequestHead read = RequestHeadReader.read(request, connection, context.limits.capacity().lineBytes());
            head = read;
            understood = true;
            serve(context.router.match(read));
        } catch (RuntimeException e) {
            refuse(context.failures.problem(e));
        }
    }

    private void serve(Match match) {
        switch (match) {
            case Match.Added(Match inner, ExchangeContext more) -> {
                additions = additions.and(more);
                serve(inner);
            }
            case Match.Immediate(Response answer) -> answer(answer);
            case Match.Collected collected -> {
                label = RequestLabel.PUSH;
                new BodyCollector(this, collected).begin();
            }
            case Match.Deferred(CompletionStage<? extends Match> later, _) -> await(later);
            case Match.Composed(Supplier<Response> answer) -> answer(answer.get());
            case Streamed(StreamHandler stream, RequestHead read) -> {
                label = RequestLabel.OPEN;
                stream(stream, read);
            }
            case Match.Opened opened -> open(opened);
            case Match.ByTransport other -> throw new IllegalStateException("No match of this server: " + other);
        }
    }

    private void await(CompletionStage<? extends Match> later) {
        CompletableFuture<? extends Match> future = later.toCompletableFuture();
        if (future.isDone() && !future.isCompletedExceptionally()) {
            serve(future.join());
            return;
        }
        if (!takeRequest()) {
            return;
        }
        handOver();
        startTimer(context.limits.answer(), () -> refuse(Problems.unanswered(context.limits.answer())));
        later.whenComplete((match, thrown) -> loop.runOnContext(_ -> decided(match, thrown)));
    }

    private void decided(@Nullable Match match, @Nullable Throwable thrown) {
        stopTimer();
        if (over) {
            return;
        }
        try {
            if (match == null) {
                throw thrown == null ? new IllegalStateException("A deferred match is null") : thrown;
            }
            serve(match);
        } catch (CompletionException e) {
            refuse(context.failures.problem(e.getCause() == null ? e : e.getCause()));
        } catch (Throwable e) { // a failed decision ends its request only
            refuse(context.failures.problem(e));
        }
    }

    private void stream(StreamHandler stream, RequestHead read) {
        if (takeRequest()) {
            head = read;
            handOver();
            stream.serve(this);
        }
    }

    private void open(Match.Opened opened) {
        if (announcesBody()) {
            throw new ProblemException(
                    Endpoint.noBody(request.method().name(), RequestHeadReader.pathOf(request.uri())));
        }
        if (request.method().name().equals("HEAD")) {
            beginEvents(opened);
            request.response().end().onComplete(_ -> finished());
            return;
        }
        PacedStream stream = new PacedStream(context.writes(loop), request.response(), this::finished);
        try {
            opened.opened().accept(stream);
            beginEvents(opened);
            keepOpen(stream);
        } catch (RuntimeException e) {
            stream.gone();
            throw e;
        }
    }

    private void beginEvents(Match.Opened opened) {
        handOver();
        HttpServerResponse response = request.response();
        context.writer.heads(response.headers(), opened.headers(), additions.answered());
        answering(response.getStatusCode(), TrafficObserver.NO_ORIGIN);
    }

    private void keepOpen(PacedStream stream) {
        HttpServerResponse response = request.response();
        onLost(stream::gone);
        onEnd(connection.beforeShutdown(stream::close));
        if (request.version() == HttpVersion.HTTP_1_0) {
            response.putHeader("Connection", "close");
        } else {
            response.writeHead();
        }
        lasts();
    }

    /** Pauses the request; from now on a client that goes away ends the exchange. */
    private void handOver() {
        request.pause();
        carrier.watch(this::lost);
    }

    private void lost(@Nullable Throwable cause) {
        if (!over) {
            LOG.debug("A request ended early: {}", cause == null ? "the client is gone" : cause.toString());
            end(ResponseWriter.begun(request.response()));
            Runnable action = onLost;
            onLost = null;
            if (action != null) {
                action.run();
            }
        }
        carrier.lost();
    }

    @Override
    public HttpServerRequest request() {
        return request;
    }

    @Override
    public RequestHead head() {
        if (head == null) {
            throw new IllegalStateException("The head is known only after it was read without error");
        }
        return head;
    }

    @Override
    public String client() {
        String known = client;
        if (known == null) {
            known = connection.client == null ? context.keys.of(head()) : connection.client;
            client = known;
        }
        return known;
    }

    @Override
    public void onEnd(Runnable action) {
        Runnable before = onEnd;
        onEnd = before == null ? action : () -> {
            before.run();
            action.run();
        };
    }

    @Override
    public void lasts() {
        reserved.giveRequest();
    }

    @Override
    public ExchangeContext additions() {
        return additions;
    }

    @Override
    public void onLost(Runnable action) {
        onLost = action;
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public void refuse(Problem problem) {
        answer(refusal(problem));
    }

    Response refusal(Problem problem) {
        HostAndPort host = request.authority();
        return context.router.refusal(problem, new RequestRouter.Refused(request.method().name(),
                host == null ? "" : host.host(), RequestHeadReader.pathOf(request.uri()), request.headers()::getAll));
    }

    @Override
    public void answering(int status, long nanos) {
        if (!reported) {
            reported = true;
            long own = context.time.nanos() - began - Math.max(0, nanos);
            RequestLabel given = additions.label();
            context.observer.answered(given == null ? label : given, status, Math.max(0, own), nanos);
        }
    }

    @Override
    public void answer(Response answer) {
        HttpServerResponse response = request.response();
        if (over || response.closed()) {
            answer.lost().run();
            return;
        }
        answering(answer.status(), TrafficObserver.NO_ORIGIN);
        connection.served = collected;
        boolean unread = isUnread();
        end(answer.status());
        carrier.answering(unread, understood);
        boolean head = request.method().name().equals("HEAD");
        boolean withBody = !head || (unread && request.version() != HttpVersion.HTTP_2);
        Future<Void> written = context.writer.write(response, answer, additions.answered(), withBody);
        written.onFailure(_ -> answer.lost().run());
        carrier.answered(written, answer.body().length, unread, understood);
    }

    @Override
    public void finished() {
        if (!over) {
            connection.served = true;
            boolean unread = isUnread();
            end(ResponseWriter.begun(request.response()));
            carrier.finished(unread, understood);
        }
    }

    @Override
    public Runnable upgraded() {
        Runnable ended = onEnd;
        onEnd = null;
        answering(101, TrafficObserver.NO_ORIGIN);
        end(101);
        return () -> { // the handlers of the HTTP connection are not called any more
            context.connections.closed(connection);
            if (ended != null) {
                ended.run();
            }
        };
    }

    @Override
    public void cut() {
        end(ResponseWriter.begun(request.response()));
        carrier.cut();
    }

    private boolean announcesBody() {
        return RequestHead.announcesBody(ReceivedHeaders.of(request));
    }

    private boolean isUnread() {
        return announcesBody() && !request.isEnded();
    }

    /** Reports the loss of the client while an endpoint runs, which continues and keeps its capacity. */
    void reportLoss(Runnable action) {
        carrier.watch(cause -> {
            LOG.debug("A client left while its request was served: {}", String.valueOf(cause));
            action.run();
            carrier.lost();
        });
    }

    /** Lets a running endpoint continue even if its client goes away. */
    void unwatch() {
        carrier.unwatch();
    }

    /** Ends the exchange, except for pending writes. */
    private void end(int status) {
        if (!over) {
            over = true;
            additions.ended().accept(status);
        }
        answering(status == 0 ? TrafficObserver.LOST : status, TrafficObserver.NO_ORIGIN);
        stopTimer();
        reserved.give();
        Runnable ended = onEnd;
        onEnd = null;
        if (ended != null) {
            ended.run();
        }
    }

    /** The capacity that the exchange holds. */
    CapacityReservation reserved() {
        return reserved;
    }

    /** Takes capacity for this request; without it, the request is refused here. */
    private boolean takeRequest() {
        if (request.version() == HttpVersion.HTTP_2) {
            Quota.Taken shared = reserved.takeShare(client());
            if (shared != Quota.Taken.TAKEN) {
                refuse(LimitProblems.of(shared, context.capacity.shared.limit(), "requests under way"));
                return false;
            }
        }
        boolean taken = reserved.takeRequest();
        if (!taken) {
            refuse(Problems.overloaded("There are " + context.limits.capacity().requests()
                    + " requests under way, as many as this server takes."));
        }
        return taken;
    }

    /** Takes capacity for a request whose body is collected; without it, the request is refused here. */
    boolean takePush() {
        collected = true;
        Quota.Taken taken = reserved.takePush(client());
        if (taken != Quota.Taken.TAKEN) {
            refuse(LimitProblems.of(taken, context.capacity.pushes.limit(), "pushes under way"));
        }
        return taken == Quota.Taken.TAKEN;
    }

    @Override
    public boolean takeBytes(int bytes) {
        return reserved.takeBytes(bytes);
    }

    @Override
    public void giveBytes(int bytes) {
        reserved.giveBytes(bytes);
    }

    @Override
    public void startTimer(Duration wait, Runnable action) {
        if (!over) {
            timed = true;
            carrier.timer().start(wait, action);
        }
    }

    @Override
    public void stopTimer() {
        if (timed) { // otherwise the timer belongs to the connection, or to its next exchange
            timed = false;
            carrier.timer().stop();
        }
    }
}
