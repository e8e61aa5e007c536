package dev.orderly.http;

import dev.orderly.http.client.ClientScriptHandler;
import dev.orderly.http.edge.AddressKeys;
import dev.orderly.http.edge.EdgeHandler;
import dev.orderly.http.edge.EdgeRequest;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.gateway.KnownHosts;
import dev.orderly.http.gateway.OriginHandler;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.Clients;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.http.message.RequestHead;
import dev.orderly.http.route.RequestRouter;
import dev.orderly.http.route.RouteTable;
import dev.orderly.time.Time;
import java.util.List;
import java.util.function.Function;

/**
 * The public edge: takes POSTs on declared routes and makes them jobs; what no route takes goes to the origins behind it,
 * or is 404 where there are none.
 *
 * <p>A 202 means that the job is durable. Thread-safe; started once.
 */
public final class EdgeServer implements AutoCloseable {
    private final HttpListener listener;

    /** An edge of routes only. */
    public EdgeServer(BindAddress bind, Routes routes, HttpLimits limits) {
        this(bind, routes, limits, Gateway.NONE, EdgeHandlers.NONE);
    }

    /**
     * Makes an edge.
     *
     * @param gateway gets what no route takes
     * @param own what the edge has beside routes and gateway
     * @throws IllegalArgumentException if two routes match the same paths, or origins may take longer than a connection
     *     may rest
     */
    public EdgeServer(BindAddress bind, Routes routes, HttpLimits limits, Gateway gateway, EdgeHandlers own) {
        RouteTable table = routes.table();
        if (gateway.limits().head().compareTo(limits.idle()) >= 0 && !gateway.origins().isEmpty()) {
            throw new IllegalArgumentException("Origins may take " + gateway.limits().head()
                    + " to answer, but the edge"
                    + " closes connections that rest for " + limits.idle() + ": use a head limit shorter than idle");
        }
        this.listener = new HttpListener("edge", bind, limits, Clients.by(new AddressKeys(gateway.trusted())),
                vertx -> handlers(table, gateway, own, new OriginHandler(gateway, vertx, Time.system())));
    }

    /** The handlers of the edge, in the order in which a request meets them. */
    private static RequestRouter handlers(RouteTable routes, Gateway gateway, EdgeHandlers own, OriginHandler origins) {
        boolean forwards = !gateway.origins().isEmpty();
        boolean gates = !own.rooms().equals(EdgeHandler.NONE);
        // Where nothing is forwarded, a route takes its path as sent: any other spelling is a mistake of the client.
        Function<EdgeRequest, RequestHead> head = forwards ? EdgeRequest::normalHead : EdgeRequest::head;
        EdgeHandler wellFormed = forwards || gates ? EdgeHandler.WELL_FORMED : EdgeHandler.NONE;
        EdgeHandler nothing = (request, _) -> routes.match(head.apply(request));
        EdgeHandler reserved = (request, next) -> request.path().isReserved()
                ? nothing.match(request, next)
                : next.match(request);
        EdgeHandler intake = (request, next) -> routes.taken(head.apply(request))
                .orElseGet(() -> next.match(request));
        return EdgeHandler.inOrder(gateway.trusted(), List.of(
                KnownHosts.of(gateway.origins()), // 421 for a host that no origin names
                wellFormed, // 400 for a path that servers read in different ways
                own.visitors(), // /.orderly/rooms/ROOM/cursor, ticket, pass, events
                own.live(), // /.orderly/live
                own.jobs(), // /.orderly/jobs/ID
                new ClientScriptHandler(), // /.orderly/client.js
                reserved, // the rest of /.orderly: 404
                own.rooms(), // paths of a room: a request with a pass goes on
                intake, // declared routes
                origins, // the sites behind the edge
                nothing)); // OPTIONS of a route, 405 or 404
    }

    /**
     * Starts listening. Blocks until connections are taken.
     *
     * @throws java.io.UncheckedIOException if the address cannot be bound, naming it; nothing is left open
     * @throws IllegalStateException if it was started before
     */
    public void start() {
        listener.start();
    }

    /**
     * The real port, also when 0 was asked for.
     *
     * @throws IllegalStateException before {@link #start}
     */
    public int port() {
        return listener.port();
    }

    /** Takes no new requests, finishes those under way as long as {@link HttpLimits#stop} says. Blocks. Idempotent. */
    @Override
    public void close() {
        listener.close();
    }
}
