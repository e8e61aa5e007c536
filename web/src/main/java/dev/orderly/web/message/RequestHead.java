package dev.orderly.web.message;

import dev.orderly.trace.TraceContext;
import dev.orderly.web.header.Authority;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request. Handlers of the edge remove visitors' tokens from its headers in place; everything else is
 * immutable.
 *
 * @param path as sent, percent-encoded
 * @param query as sent, without the question mark; null if there is none
 * @param peer literal address of the connection's peer, a client or a proxy
 * @param tls whether the connection has TLS
 * @param params decoded values of the names in the endpoint's path
 * @param served the path, decoded, by which a container serves the request; null without a container
 */
public record RequestHead(String method, String path, @Nullable String query, Headers headers, String peer,
        boolean tls, Map<String, String> params, @Nullable String served) {
    public RequestHead {
        params = Map.copyOf(params);
    }

    /** A head that is served by its path as sent. */
    public RequestHead(String method, String path, @Nullable String query, Headers headers, String peer,
            boolean tls, Map<String, String> params) {
        this(method, path, query, headers, peer, tls, params, null);
    }

    /** A head over a connection without TLS. */
    public RequestHead(String method, String path, @Nullable String query, Headers headers, String peer,
            Map<String, String> params) {
        this(method, path, query, headers, peer, false, params);
    }

    public RequestHead withParams(Map<String, String> values) {
        return new RequestHead(method, path, query, headers, peer, tls, values, served);
    }

    /** A copy with another spelling of the path. */
    public RequestHead withPath(String spelling) {
        return spelling.equals(path)
                ? this
                : new RequestHead(method, spelling, query, headers, peer, tls, params, served);
    }

    /**
     * The value of a name in the endpoint's path.
     *
     * @throws IllegalArgumentException if the path has no such name
     */
    public String param(String name) {
        String value = params.get(name);
        if (value == null) {
            throw new IllegalArgumentException("The path of this endpoint has no {" + name + "}");
        }
        return value;
    }

    /**
     * The value of a header that may occur once, stripped; null if it is absent.
     *
     * @throws ProblemException if it occurs several times
     */
    public @Nullable String header(String name) {
        List<String> all = headers.getAll(name);
        if (all.size() > 1) {
            throw new ProblemException(ProblemType.BAD_REQUEST,
                    "Header " + name + " occurs " + all.size() + " times: send it once");
        }
        return all.isEmpty() ? null : all.getFirst().strip();
    }

    /** The trace that the sender says this request belongs to; null for none. Read anew at each call. */
    public @Nullable TraceContext trace() {
        List<String> parents = headers.getAll(TraceContext.PARENT);
        return parents.isEmpty() ? null : TraceContext.of(parents, headers.getAll(TraceContext.STATE));
    }

    /**
     * The requested host without the port, as the Host header spells it, which listeners bring into the normal form of
     * {@link Authority}; empty if there is none.
     */
    public String host() {
        String host = headers.get("Host");
        return host == null ? "" : Authority.withoutPort(host);
    }

    /** Whether a body follows a head with these headers. */
    public static boolean announcesBody(Headers headers) {
        String length = headers.get("Content-Length");
        return headers.contains("Transfer-Encoding") || (length != null && !length.strip().equals("0"));
    }
}
