package dev.orderly.web.room;

import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.header.AnswerPreference;
import dev.orderly.web.header.LanguageChoice;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.path.RequestPath;
import dev.orderly.web.path.SitePath;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request with the attributes that rooms read. */
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
    public RequestPath path() {
        return request.path();
    }

    @Override
    public @Nullable String query() {
        return head().query();
    }

    @Override
    public List<String> header(String name) {
        return head().headers().getAll(name);
    }

    InetAddress address() {
        return request.client().address();
    }

    /** The key by which places are counted. */
    String addressKey() {
        return request.client().key();
    }

    boolean isSecure() {
        return isSecure(request);
    }

    private static boolean isSecure(EdgeRequest request) {
        return request.sender().isSecure();
    }

    /** Whether a browser requests a part of a page, such as a picture: it takes no place in line. */
    boolean isPartOfPage() {
        String wanted = head().headers().get("Sec-Fetch-Dest");
        return wanted != null && !wanted.equals("document") && !wanted.equals("empty") && !wanted.equals("iframe")
                && !wanted.equals("frame");
    }

    /** Whether a browser asks, always without cookies, whether a page of another site may send a request. */
    boolean isPreflight() {
        return method().equals("OPTIONS") && head().headers().contains("Origin")
                && head().headers().contains("Access-Control-Request-Method");
    }

    /** Path and query of the visitor's previous page on this host; the root if unknown. */
    String cameFrom() {
        String referer = String.valueOf(head().headers().get("Referer"));
        String mine = "://" + head().headers().get("Host") + "/";
        int at = referer.startsWith("http") ? referer.indexOf(mine) : -1;
        return at == 4 || at == 5 ? SitePath.of(referer.substring(at + mine.length() - 1)).orElse("/") : "/";
    }

    /** The languages that the visitor wants, the most wanted first. */
    List<String> languages() {
        return LanguageChoice.wanted(header("Accept-Language"));
    }

    AnswerPreference preference() {
        return AnswerPreference.of(head().headers().getAll("Accept"));
    }
}
