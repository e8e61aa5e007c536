package dev.orderly.http.gateway;

import dev.orderly.http.listener.Head;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;

/** What a forwarded request is, by how long it holds a connection to its origin, and why. */
public enum ForwardKind {
    /** Held while the origin answers. */
    PAGE("requests to the site under way"),
    /** Held while the client sends. */
    UPLOAD("uploads under way"),
    /** An event stream: held as long as the client listens. */
    STREAM("event streams of the site open"),
    /** A WebSocket: held as long as client and origin wish. */
    TUNNEL("WebSockets of the site open");

    private final String plural;

    ForwardKind(String plural) {
        this.plural = plural;
    }

    /** What a client is told that one is too many of. */
    String plural() {
        return plural;
    }

    /** The kind of a request of which nothing but the head is known. */
    static ForwardKind of(HttpServerRequest request) {
        if (Head.announcesBody(request.headers())) {
            return UPLOAD;
        }
        if (Tunnel.isAskedFor(request)) {
            return TUNNEL;
        }
        return request.method().name().equals("GET") && wantsEvents(request) ? STREAM : PAGE;
    }

    private static boolean wantsEvents(HttpServerRequest request) {
        String accept = request.getHeader("Accept");
        return accept != null && accept.toLowerCase(Locale.ROOT).contains("text/event-stream");
    }
}
