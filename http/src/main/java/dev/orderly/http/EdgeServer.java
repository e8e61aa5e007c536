package dev.orderly.http;

import dev.orderly.http.cors.CrossOriginHandler;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.gateway.KnownHosts;
import dev.orderly.http.gateway.OriginHandler;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.Clients;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.http.observe.ListenerLoad;
import dev.orderly.http.observe.TrafficObserver;
import dev.orderly.text.DurationText;
import dev.orderly.time.Time;
import dev.orderly.web.client.ClientScriptHandler;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.edge.ForwardedForCheck;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.message.Response;
import dev.orderly.web.page.ErrorPage;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.room.RoomGate;
import dev.orderly.web.route.RequestRouter;
import dev.orderly.web.route.RouteTable;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The public edge: makes jobs of POST requests to declared routes; other requests go to the origins, or are answered
 * 404 without origins.
 *
 * <p>A 202 means that the job is durable. Thread-safe; started once.
 */
public final class EdgeServer implements AutoCloseable {
    private final HttpListener listener;
    private final AtomicReference<@Nullable Running> running = new AtomicReference<>();

    /** An edge with routes only. */
    public EdgeServer(BindAddress bind, Routes routes, HttpLimits limits) {
        this(bind, routes, limits, Gateway.NONE, EdgeHandlers.NONE);
    }

    /**
     * An edge without TLS. Otherwise as {@link #EdgeServer(ListenerTransport, Routes, HttpLimits, Gateway,
     * EdgeHandlers)}.
     */
    public EdgeServer(BindAddress bind, Routes routes, HttpLimits limits, Gateway gateway, EdgeHandlers extra) {
        this(ListenerTransport.plain(bind), routes, limits, gateway, extra);
    }

    /**
     * Creates an edge that does not listen yet.
     *
     * @param gateway gets the requests that match no route
     * @param extra handlers beside routes and gateway
     * @throws IllegalArgumentException if two routes match the same paths, or origins may take longer to answer than a
     *     connection may be idle
     */
    public EdgeServer(ListenerTransport transport, Routes routes, HttpLimits limits, Gateway gateway,
            EdgeHandlers extra) {
        RouteTable table = routes.table(gateway.trusted());
        if (gateway.limits().head().compareTo(limits.idle()) >= 0 && !gateway.origins().isEmpty()) {
            throw new IllegalArgumentException(
                    "Origins may take " + DurationText.of(gateway.limits().head()) + " to answer, but the"
                            + " edge closes connections that are idle for " + DurationText.of(limits.idle())
                            + ": use a head limit shorter than idle");
        }
        this.listener = new HttpListener("edge", transport, limits, Clients.by(new AddressKeys(gateway.trusted())),
                vertx -> {
                    Running first = new Running(table, gateway, extra, pages(routes, extra),
                            new OriginHandler(gateway, vertx, Time.system(), limits.capacity().eventLoops()));
                    running.set(first);
                    return first;
                });
    }

    /**
     * Replaces routes, origins and the other handlers while requests are served: each request meets the old ones or the
     * new ones, none fails. Does not block.
     *
     * @param gateway as at the start but for the origins
     * @throws IllegalArgumentException as the constructor says, or if trusted proxies or limits of forwarding differ;
     *     the old ones stay in force
     * @throws IllegalStateException before {@link #start}
     */
    public void change(Routes routes, Gateway gateway, EdgeHandlers extra) {
        Running now = running.get();
        if (now == null) {
            throw new IllegalStateException("The edge does not run yet: start it first");
        }
        now.change(routes.table(gateway.trusted()), gateway, extra, pages(routes, extra));
    }

    /** Permissions for pages of other origins, if any are named. */
    private static EdgeHandler pages(Routes routes, EdgeHandlers extra) {
        CrossOriginHandler pages = new CrossOriginHandler(routes.all(), extra.pages());
        return pages.isUsed() ? pages : EdgeHandler.NONE;
    }

    /** The router of a started edge, whose handlers can be replaced. */
    private static final class Running implements RequestRouter {
        private volatile OriginHandler origins;
        private volatile RequestRouter router;

        Running(RouteTable routes, Gateway gateway, EdgeHandlers extra, EdgeHandler pages, OriginHandler origins) {
            this.origins = origins;
            this.router = handlers(routes, gateway, extra, pages, origins);
        }

        void change(RouteTable routes, Gateway gateway, EdgeHandlers extra, EdgeHandler pages) {
            origins = origins.withOrigins(gateway);
            router = handlers(routes, gateway, extra, pages, origins);
        }

        @Override
        public Match match(RequestHead head) {
            return router.match(head);
        }

        @Override
        public Response refusal(Problem problem, Refused refused) {
            return ErrorPage.answer(problem, refused);
        }
    }

    /** The handlers of the edge, in the order in which a request meets them. */
    private static RequestRouter handlers(RouteTable routes, Gateway gateway, EdgeHandlers extra, EdgeHandler pages,
            OriginHandler origins) {
        boolean forwards = !gateway.origins().isEmpty();
        boolean gates = !extra.rooms().equals(EdgeHandler.NONE);
        // Without origins, a route takes its path as sent: any other spelling is a mistake of the client.
        Function<EdgeRequest, RequestHead> head = forwards ? EdgeRequest::normalHead : EdgeRequest::head;
        EdgeHandler wellFormed = forwards || gates ? EdgeHandler.WELL_FORMED : EdgeHandler.NONE;
        EdgeHandler nothing = (request, _) -> routes.match(head.apply(request));
        EdgeHandler reserved = (request, next) -> request.path().isReserved()
                ? nothing.match(request, next)
                : next.match(request);
        EdgeHandler intake = (request, next) -> routes.taken(head.apply(request))
                .orElseGet(() -> next.match(request));
        return EdgeHandler.inOrder(gateway.trusted(), List.of(
                extra.transport(), // adds Strict-Transport-Security
                new ForwardedForCheck(Time.system(), ForwardedForCheck.NAME_IT), // warns of a proxy that is not trusted
                KnownHosts.of(gateway.origins()), // 421 for a host that no origin names
                wellFormed, // 400 for a path that servers read in different ways
                pages, // pages of other origins: answers preflights, and lets named origins read answers
                extra.visitors(), // /.orderly/rooms/ROOM/cursor, ticket, pass, events
                extra.live(), // /.orderly/live
                extra.jobs(), // /.orderly/jobs/ID
                new ClientScriptHandler(), // /.orderly/client.js
                reserved, // the rest of /.orderly: 404
                gates ? extra.rooms() : RoomGate.OPEN, // paths of a room: only a request with a pass continues
                intake, // declared routes
                extra.traces(), // spans of the requests that go on
                origins, // the sites behind the edge
                nothing)); // OPTIONS of a route, 405 or 404
    }

    /** Sets the observer of the requests. Before {@link #start}. */
    public void observe(TrafficObserver observer) {
        listener.observe(observer);
    }

    /** As {@link HttpListener#hide}. */
    public void hide() {
        listener.hide();
    }

    /** As {@link HttpListener#load}. */
    public ListenerLoad load() {
        return listener.load();
    }

    /** As {@link HttpListener#drain}. */
    public void drain(Duration patience) {
        listener.drain(patience);
    }

    /**
     * Starts listening. Blocks until connections are accepted.
     *
     * @throws java.io.UncheckedIOException if the address cannot be bound; names it, and leaves nothing open
     * @throws IllegalStateException if it was started before: create another
     */
    public void start() {
        listener.start();
    }

    /**
     * The port it listens on, also if 0 was configured.
     *
     * @throws IllegalStateException before {@link #start}
     */
    public int port() {
        return listener.port();
    }

    /** Accepts no new requests, and finishes pending ones within {@link HttpLimits#stop}. Blocks. Idempotent. */
    @Override
    public void close() {
        listener.close();
    }
}
