package dev.orderly.http;

import dev.orderly.Orderly;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.gateway.Origin;
import dev.orderly.http.intake.Route;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.http.observe.ListenerLoad;
import dev.orderly.http.tls.ListenerTls;
import dev.orderly.job.Payload;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.user.PageOrigins;
import java.time.Duration;
import java.util.List;

/** An edge with one route, {@code POST /mail}, and origins behind it. */
public final class Proxied implements AutoCloseable {
    private final Orderly orderly = Orderly.open(new MemoryStore());
    private final EdgeServer edge;

    public Proxied(Gateway gateway) {
        this(gateway, EdgeHandlers.NONE);
    }

    /** @param rooms rooms in front of the route and the origins */
    public Proxied(Gateway gateway, EdgeHandler rooms) {
        this(gateway, new EdgeHandlers(EdgeHandler.NONE, EdgeHandler.NONE, rooms, EdgeHandler.NONE, EdgeHandler.NONE,
                PageOrigins.OWN, EdgeHandler.NONE));
    }

    public Proxied(Gateway gateway, EdgeHandlers own) {
        this(gateway, own, HttpLimits.DEFAULT);
    }

    public Proxied(Gateway gateway, HttpLimits limits) {
        this(gateway, EdgeHandlers.NONE, limits);
    }

    /** With TLS. */
    public Proxied(Gateway gateway, ListenerTls tls) {
        this(gateway, EdgeHandlers.NONE, HttpLimits.DEFAULT, ListenerTransport.tls(BindAddress.loopback(0), tls));
    }

    /** @param transport on a free port */
    public Proxied(Gateway gateway, HttpLimits limits, ListenerTransport transport) {
        this(gateway, EdgeHandlers.NONE, limits, transport);
    }

    private Proxied(Gateway gateway, EdgeHandlers own, HttpLimits limits) {
        this(gateway, own, limits, ListenerTransport.plain(BindAddress.loopback(0)));
    }

    private Proxied(Gateway gateway, EdgeHandlers own, HttpLimits limits, ListenerTransport transport) {
        orderly.queue("emails", Payload.class);
        edge = new EdgeServer(transport, Routes.of(List.of(Route.of("/mail", "emails")), orderly.engines().jobs()),
                limits,
                gateway, own);
        edge.start();
    }

    public static Gateway to(RawOrigin origin) {
        return Gateway.of(List.of(Origin.all(origin.uri())));
    }

    public int port() {
        return edge.port();
    }

    public ListenerLoad load() {
        return edge.load();
    }

    public void drain(Duration patience) {
        edge.drain(patience);
    }

    public RawHttp connect() {
        return new RawHttp(port());
    }

    /** All bytes that come back on a connection of its own. */
    public String exchange(String request) {
        try (RawHttp raw = connect()) {
            raw.send(request);
            return raw.rest();
        }
    }

    /** The answer to a GET with these header lines, each ended by CRLF. */
    public String get(String path, String headers) {
        return exchange("GET " + path + " HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\n" + headers + "\r\n");
    }

    @Override
    public void close() {
        edge.close();
        orderly.close();
    }
}
