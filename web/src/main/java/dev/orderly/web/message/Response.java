package dev.orderly.web.message;

import dev.orderly.web.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An answer to a client.
 *
 * @param headers in order, without {@code Content-Length} and {@code Date}; with {@code Content-Type} if there is a
 *     body. An answer without {@code Cache-Control} is sent with {@code no-store}
 * @param body empty for none; must not be changed any more
 * @param lost runs once if the answer could not be written to the client; must not block. Not every loss is noticed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Response(int status, List<Header> headers, byte[] body, Runnable lost) {
    public static final String JSON = "application/json";

    private static final String CONTENT_TYPE = "Content-Type";

    public Response {
        headers = List.copyOf(headers);
    }

    /** An answer whose loss has no consequence. */
    public Response(int status, List<Header> headers, byte[] body) {
        this(status, headers, body, () -> {});
    }

    /** An answer without a body. */
    public static Response empty(int status) {
        return new Response(status, List.of(), new byte[0]);
    }

    public static Response json(int status, byte[] json) {
        return of(status, JSON, json);
    }

    public static Response html(int status, String html) {
        return of(status, "text/html; charset=utf-8", html.getBytes(StandardCharsets.UTF_8));
    }

    public static Response text(int status, String text) {
        return of(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /** @param body encoded in this content type */
    public static Response of(int status, String contentType, byte[] body) {
        return new Response(status, List.of(new Header(CONTENT_TYPE, contentType)), body);
    }

    /** @param path the requested path */
    public static Response problem(Problem problem, String path) {
        List<Header> headers = new ArrayList<>();
        problem.headers().forEach((name, value) -> headers.add(new Header(name, value)));
        headers.add(new Header(CONTENT_TYPE, Problem.CONTENT_TYPE));
        return new Response(problem.type().status(), headers, problem.json(path));
    }

    /** A copy with this header in place of all headers of its name. */
    public Response withHeader(String name, String value) {
        List<Header> changed = new ArrayList<>(headers);
        changed.removeIf(header -> header.isNamed(name));
        changed.add(new Header(name, value));
        return new Response(status, changed, body, lost);
    }

    /** A copy with each of these headers in place of all headers of its name. */
    public Response withHeaders(Map<String, String> values) {
        Response changed = this;
        for (Map.Entry<String, String> header : values.entrySet()) {
            changed = changed.withHeader(header.getKey(), header.getValue());
        }
        return changed;
    }

    /** A copy with this header beside others of its name, such as a second {@code Set-Cookie}. */
    public Response addHeader(String name, String value) {
        List<Header> more = new ArrayList<>(headers);
        more.add(new Header(name, value));
        return new Response(status, more, body, lost);
    }

    /** A copy with an action for its loss. */
    public Response onLost(Runnable action) {
        return new Response(status, headers, body, action);
    }
}
