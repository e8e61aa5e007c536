package dev.orderly.servlet.exchange;

import dev.orderly.web.header.Authority;
import dev.orderly.web.message.HeaderList;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.problem.Refusal;
import jakarta.servlet.http.HttpServletRequest;
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
     * Reads the head. Its path begins below the context path; its host is in normal form.
     *
     * @return the head, with headers that can be changed without effect on the request
     * @throws Refusal if the Host header is none
     */
    public static RequestHead of(HttpServletRequest request) {
        String uri = request.getRequestURI();
        String context = request.getContextPath();
        String path = uri.startsWith(context) ? uri.substring(context.length()) : uri;
        String peer = request.getRemoteAddr();
        return new RequestHead(request.getMethod(), path.isEmpty() ? "/" : path, request.getQueryString(),
                headers(request), peer == null || peer.isEmpty() ? NO_PEER : peer, request.isSecure(), Map.of());
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
                .orElseThrow(() -> new Refusal(ProblemType.BAD_REQUEST,
                        "The Host header is not a host and port: send the host of the URL you ask for"));
    }
}
