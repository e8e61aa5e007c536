package dev.orderly.http.listener;

import dev.orderly.http.header.Authority;
import dev.orderly.http.message.RequestHead;
import dev.orderly.http.problem.Problem;
import dev.orderly.http.problem.ProblemType;
import dev.orderly.http.problem.Refusal;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads a request head by RFC 9112, so that no server in front of or behind this one can read it differently: exactly
 * one Host, which is normalised, and a target that is a path, or the whole URI of that host. The codec refuses bad
 * framing.
 */
final class RequestHeadReader {
    private static final Pattern ABSOLUTE = Pattern.compile("https?://([^/?#]*)([^#]*)", Pattern.CASE_INSENSITIVE);

    private RequestHeadReader() {}

    /** @throws Refusal naming the rule that the head breaks */
    static RequestHead read(HttpServerRequest request, ClientConnection connection) {
        List<String> hosts = request.headers().getAll("Host");
        if (hosts.size() != 1) {
            throw bad("The request has " + hosts.size() + " Host headers: send exactly one");
        }
        if (request.headers().contains("")) {
            throw bad("A header has no name: leave it out");
        }
        if (request.method().name().equals("CONNECT")) {
            throw new Refusal(new Problem(ProblemType.METHOD_NOT_ALLOWED,
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
        return new RequestHead(request.method().name(), path, query, request.headers(),
                request.remoteAddress().hostAddress(), Map.of());
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

    private static Authority authority(HttpServerRequest request, String sent, ClientConnection connection) {
        Authority host = connection.authority(sent).orElseThrow(
                () -> bad("The Host header is not a host and port: send the host of the URL you ask for"));
        String normal = host.text();
        if (!normal.equals(sent)) {
            request.headers().set("Host", normal);
        }
        return host;
    }

    private static Refusal bad(String detail) {
        return new Refusal(ProblemType.BAD_REQUEST, detail);
    }
}
