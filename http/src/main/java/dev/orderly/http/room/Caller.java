package dev.orderly.http.room;

import dev.orderly.http.gateway.ClientAddress;
import dev.orderly.http.gateway.RequestPath;
import dev.orderly.http.gateway.TrustedProxies;
import dev.orderly.http.listener.Head;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;

/** A request as rooms look at it. */
record Caller(Head head, RequestPath path, TrustedProxies trusted) implements BypassRule.Request {
    @Override
    public String method() {
        return head.method();
    }

    @Override
    public List<String> header(String name) {
        return head.headers().getAll(name);
    }

    InetAddress address() {
        return ClientAddress.of(head, trusted).address();
    }

    /** What places are counted by. */
    String addressKey() {
        return ClientAddress.of(head, trusted).key();
    }

    /** Without a port, in lower case. */
    String host() {
        String host = String.valueOf(head.headers().get("Host")).strip();
        int colon = host.endsWith("]") ? -1 : host.lastIndexOf(':');
        return (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
    }

    /** Whether the path is written as it is read, so that no server can take it for another one. */
    boolean isPlain() {
        return path.wire().equalsIgnoreCase(path.key());
    }

    /** Whether the visitor's own connection has TLS, as a trusted proxy says; this edge has none. */
    boolean isSecure() {
        return "https".equalsIgnoreCase(head.headers().get("X-Forwarded-Proto")) && trusted.containPeer(head.peer());
    }

    CookieForm cookies() {
        return CookieForm.of(isSecure(), head.headers().get("Host"));
    }

    /** A browser says that it asks for something inside a page, such as a picture: nobody waits in line for that. */
    boolean isPartOfPage() {
        String wanted = head.headers().get("Sec-Fetch-Dest");
        return wanted != null && !wanted.equals("document") && !wanted.equals("empty") && !wanted.equals("iframe")
                && !wanted.equals("frame");
    }

    /** A browser asks, without cookies by rule, whether a page of another site may ask. */
    boolean isPreflight() {
        return head.method().equals("OPTIONS") && head.headers().contains("Access-Control-Request-Method");
    }

    Preference preference() {
        return Preference.of(head.headers().getAll("Accept"));
    }
}
