package dev.orderly.http.room;

import dev.orderly.http.edge.EdgeRequest;
import dev.orderly.http.header.AnswerPreference;
import dev.orderly.http.message.RequestHead;
import java.net.InetAddress;
import java.util.List;

/** A request as rooms look at it. */
record VisitorRequest(EdgeRequest request, CookieForm cookies) implements BypassRule.Request {
    static VisitorRequest of(EdgeRequest request) {
        return new VisitorRequest(request, CookieForm.of(isSecure(request), request.head().headers().get("Host")));
    }

    RequestHead head() {
        return request.head();
    }

    @Override
    public String method() {
        return head().method();
    }

    @Override
    public List<String> header(String name) {
        return head().headers().getAll(name);
    }

    InetAddress address() {
        return request.client().address();
    }

    /** What places are counted by. */
    String addressKey() {
        return request.client().key();
    }

    /** The path that rules are matched on. */
    String key() {
        return request.path().key();
    }

    /** Whether the path is written as it is read, so that no server can take it for another one. */
    boolean isPlain() {
        return request.path().wire().equalsIgnoreCase(request.path().key());
    }

    boolean isSecure() {
        return isSecure(request);
    }

    /** Whether the visitor's own connection has TLS, as a trusted proxy says; this edge has none. */
    private static boolean isSecure(EdgeRequest request) {
        RequestHead head = request.head();
        return "https".equalsIgnoreCase(head.headers().get("X-Forwarded-Proto"))
                && request.trusted().containPeer(head.peer());
    }

    /** A browser says that it asks for something inside a page, such as a picture: nobody waits in line for that. */
    boolean isPartOfPage() {
        String wanted = head().headers().get("Sec-Fetch-Dest");
        return wanted != null && !wanted.equals("document") && !wanted.equals("empty") && !wanted.equals("iframe")
                && !wanted.equals("frame");
    }

    /** A browser asks, without cookies by rule, whether a page of another site may ask. */
    boolean isPreflight() {
        return method().equals("OPTIONS") && head().headers().contains("Access-Control-Request-Method");
    }

    /** Path and query of the page of this host on which the visitor was; the root if that is not said. */
    String cameFrom() {
        String referer = String.valueOf(head().headers().get("Referer"));
        String mine = "://" + head().headers().get("Host") + "/";
        int at = referer.startsWith("http") ? referer.indexOf(mine) : -1;
        return at == 4 || at == 5 ? referer.substring(at + mine.length() - 1) : "/";
    }

    AnswerPreference preference() {
        return AnswerPreference.of(head().headers().getAll("Accept"));
    }
}
