package dev.orderly.http.listener;

import dev.orderly.http.stream.ReceivedHeaders;
import dev.orderly.web.header.Authority;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads a request head by RFC 9112 or 9113, so that no server in front of or behind this one can read it differently:
 * exactly one Host, which is normalised, and a target that is a path, or the whole URI of that host. The codec refuses
 * bad framing.
 */
final class RequestHeadReader {
    private static final Pattern ABSOLUTE = Pattern.compile("https?://([^/?#]*)([^#]*)", Pattern.CASE_INSENSITIVE);

    /** Methods whose requests have a body only if they announce its length. */
    private static final Set<String> BODILESS = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT", "DELETE");

    private RequestHeadReader() {}

    /**
     * Reads the head. A head of HTTP/2 is brought into the form that the same request has over HTTP/1.1, in place.
     *
     * @param lineBytes most characters of a target over HTTP/2; the codec of HTTP/1.1 counts by itself
     * @throws ProblemException naming the rule that the head breaks
     */
    static RequestHead read(HttpServerRequest request, ListenerConnection connection, int lineBytes) {
        if (request.version() == HttpVersion.HTTP_2) {
            translate(request, lineBytes);
        }
        List<String> hosts = request.headers().getAll("Host");
        if (hosts.size() != 1) {
            throw bad("The request has " + hosts.size() + " Host headers: send exactly one");
        }
        if (request.headers().contains("")) {
            throw bad("A header has no name: leave it out");
        }
        if (request.method().name().equals("CONNECT")) {
            throw new ProblemException(new Problem(ProblemType.METHOD_NOT_ALLOWED,
                    "CONNECT makes a tunnel, which is not offered here: use another method").withHeader("Allow",
                            "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"));
        }
        Authority host = authority(request, hosts.getFirst(), connection);
        String target = request.uri().startsWith("/") ? request.uri() : origin(request.uri(), host);
        boolean asterisk = target.equals("*") && request.method().name().equals("OPTIONS");
        if (!asterisk && (!target.startsWith("/") || target.indexOf('#') >= 0)) {
            throw bad("The request's target is not a path: start it with a slash, and leave a #fragment out");
        }
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        String query = question < 0 ? null : target.substring(question + 1);
        return new RequestHead(request.method().name(), path, query, ReceivedHeaders.of(request),
                request.remoteAddress().hostAddress(), request.isSSL(), Map.of());
    }

    /** RFC 9113, section 8.3.1: the authority is the host; section 8.2.3: a cookie may come in parts. */
    private static void translate(HttpServerRequest request, int lineBytes) {
        MultiMap headers = request.headers();
        HostAndPort authority = request.authority();
        if (authority != null) {
            headers.set("Host", text(authority));
        }
        if (headers.contains(":protocol")) {
            throw bad("The request has :protocol, which only a CONNECT has: leave it out");
        }
        List<String> cookies = headers.getAll("Cookie");
        if (cookies.size() > 1) {
            headers.set("Cookie", String.join("; ", cookies));
        }
        if (request.uri() != null && request.uri().length() > lineBytes) {
            throw new ProblemException(ProblemType.URI_TOO_LONG,
                    "The request line is too long: shorten the path and the query");
        }
        if (!headers.contains("Content-Length") && !BODILESS.contains(request.method().name())) {
            headers.set("Transfer-Encoding", "chunked"); // a body of unknown length, which may be empty
        }
    }

    /** The authority as it was sent; Vert.x reads an empty port as 0, the port of no server. */
    private static String text(HostAndPort authority) {
        return authority.port() == 0 ? authority.host() : authority.toString();
    }

    /** The path and query of a target that is a whole URI; any other target unchanged. */
    private static String origin(String target, Authority host) {
        var absolute = ABSOLUTE.matcher(target);
        if (!absolute.matches()) {
            return target;
        }
        if (!Authority.parse(absolute.group(1)).equals(Optional.of(host))) {
            throw bad("The request's URI and its Host header name different hosts: send one and the same");
        }
        return absolute.group(2).startsWith("/") ? absolute.group(2) : "/" + absolute.group(2);
    }

    private static Authority authority(HttpServerRequest request, String sent, ListenerConnection connection) {
        Authority host = connection.authority(sent).orElseThrow(
                () -> bad("The Host header is not a host and port: send the host of the URL you ask for"));
        String normal = host.text();
        if (!normal.equals(sent)) {
            request.headers().set("Host", normal);
        }
        return host;
    }

    private static ProblemException bad(String detail) {
        return new ProblemException(ProblemType.BAD_REQUEST, detail);
    }

    /** A request target without its query. */
    static String pathOf(String uri) {
        int question = uri.indexOf('?');
        return question < 0 ? uri : uri.substring(0, question);
    }
}
