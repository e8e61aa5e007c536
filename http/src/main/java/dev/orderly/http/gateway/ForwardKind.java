package dev.orderly.http.gateway;

import dev.orderly.http.stream.ReceivedHeaders;
import dev.orderly.web.message.RequestHead;
import io.vertx.core.http.HttpServerRequest;
import java.util.Locale;

/** The kind of a forwarded request, by the reason for which it holds a connection to its origin. */
public enum ForwardKind {
    /** Held while the origin answers. */
    PAGE("requests to the site under way"),
    /** Held while the client sends. */
    UPLOAD("uploads under way"),
    /** An event stream: held while the client listens. */
    STREAM("event streams of the site open"),
    /** A WebSocket: held until client or origin closes it. */
    TUNNEL("WebSockets of the site open");

    private final String plural;

    ForwardKind(String plural) {
        this.plural = plural;
    }

    /** The name of the limited items in messages to clients. */
    String plural() {
        return plural;
    }

    /** The kind of a request, from its head alone. */
    static ForwardKind of(HttpServerRequest request) {
        if (RequestHead.announcesBody(ReceivedHeaders.of(request))) {
            return UPLOAD;
        }
        if (WebSocketTunnel.isAskedFor(request)) {
            return TUNNEL;
        }
        return request.method().name().equals("GET") && wantsEvents(request) ? STREAM : PAGE;
    }

    private static boolean wantsEvents(HttpServerRequest request) {
        String accept = request.getHeader("Accept");
        return accept != null && accept.toLowerCase(Locale.ROOT).contains("text/event-stream");
    }
}
