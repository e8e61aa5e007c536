package dev.orderly.http.listener;

import dev.orderly.http.problem.Problem;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What goes back to the client.
 *
 * @param headers besides {@code Content-Length}; with {@code Content-Type} if there is a body
 * @param body empty for none; not changed any more
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Answer(int status, Map<String, String> headers, byte[] body) {
    public static final String JSON = "application/json";

    public Answer {
        headers = Map.copyOf(headers);
    }

    /** Without a body. */
    public static Answer empty(int status) {
        return new Answer(status, Map.of(), new byte[0]);
    }

    public static Answer json(int status, byte[] json) {
        return new Answer(status, Map.of("Content-Type", JSON), json);
    }

    public static Answer text(int status, String text) {
        return new Answer(status, Map.of("Content-Type", "text/plain; charset=utf-8"),
                text.getBytes(StandardCharsets.UTF_8));
    }

    /** @param path that was asked for */
    public static Answer problem(Problem problem, String path) {
        Map<String, String> headers = new HashMap<>(problem.headers());
        headers.put("Content-Type", Problem.CONTENT_TYPE);
        return new Answer(problem.type().status(), headers, problem.json(path));
    }

    public Answer withHeader(String name, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(name, value);
        return new Answer(status, more, body);
    }
}
