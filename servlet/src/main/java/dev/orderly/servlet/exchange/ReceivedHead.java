package dev.orderly.servlet.exchange;

import dev.orderly.web.header.Authority;
import dev.orderly.web.message.HeaderList;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.path.RequestPath;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Collections;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The head of a request as the container received it. */
public final class ReceivedHead {
    private static final String HOST = "Host";
    /** Where the container names no peer, as on a socket of the file system: a program of this machine. */
    private static final String NO_PEER = "127.0.0.1";

    private ReceivedHead() {}

    /**
     * Reads the head. Its path begins below the context path, as sent and as the container serves it; its host is in
     * normal form.
     *
     * @return the head, with headers that can be changed without effect on the request
     * @throws ProblemException if the Host header is none, or the container itself cannot tell which path is meant
     */
    public static RequestHead of(HttpServletRequest request) {
        String peer = request.getRemoteAddr();
        String sent;
        String served;
        try {
            sent = sent(request.getRequestURI(), request.getContextPath());
            served = request.getPathInfo() == null
                    ? request.getServletPath()
                    : request.getServletPath() + request.getPathInfo();
        } catch (IllegalArgumentException | IllegalStateException _) { // of Jetty, of Tomcat
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "The container cannot tell which path is meant: request the"
                            + " intended path, without needless escapes and backslashes");
        }
        return new RequestHead(request.getMethod(), sent, request.getQueryString(), headers(request),
                peer == null || peer.isEmpty() ? NO_PEER : peer, request.isSecure(), Map.of(),
                served.isEmpty() ? "/" : served);
    }

    /**
     * The path below the context path, as sent; all of it if it begins with no ordinary spelling of the context path.
     */
    private static String sent(String uri, String context) {
        boolean same = uri.startsWith(context);
        String first = same ? context : uri.substring(0, end(uri, slashes(context)));
        RequestPath spelled = RequestPath.of(first);
        boolean ordinary = spelled.others().isEmpty()
                && (spelled.wire().equals(first) || slashes(spelled.wire()) == slashes(first));
        boolean isContext = ordinary && (same || spelled.key().equals(RequestPath.of(escaped(context)).key()));
        String path = isContext ? uri.substring(first.length()) : uri;
        return path.startsWith("/") || path.equals("*") ? path : "/" + path;
    }

    /** A context path with escapes: some containers say it decoded. */
    private static String escaped(String context) {
        return URI.create(context.replace(" ", "%20")).toASCIIString();
    }

    private static long slashes(String path) {
        return path.chars().filter(c -> c == '/').count();
    }

    /** The end of the first segments. */
    private static int end(String path, long segments) {
        int end = 0;
        for (long segment = 0; segment < segments && end < path.length(); segment++) {
            int slash = path.indexOf('/', end + 1);
            end = slash < 0 ? path.length() : slash;
        }
        return end;
    }

    private static HeaderList headers(HttpServletRequest request) {
        HeaderList headers = new HeaderList();
        for (String name : Collections.list(request.getHeaderNames())) {
            if (!name.equalsIgnoreCase(HOST)) {
                Collections.list(request.getHeaders(name)).forEach(value -> headers.add(name, value));
            }
        }
        String host = host(request);
        return host == null ? headers : headers.add(HOST, host);
    }

    private static @Nullable String host(HttpServletRequest request) {
        String sent = request.getHeader(HOST);
        if (sent == null || sent.isBlank()) {
            return null;
        }
        return Authority.parse(sent.strip()).map(Authority::text)
                .orElseThrow(() -> new ProblemException(ProblemType.BAD_REQUEST,
                        "The Host header is not a host and port: send the host of the URL you ask for"));
    }
}
