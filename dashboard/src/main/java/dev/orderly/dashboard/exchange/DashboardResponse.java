package dev.orderly.dashboard.exchange;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A response of the dashboard.
 *
 * @param headers with {@code Content-Type} if there is a body
 * @param body must not be changed any more
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record DashboardResponse(int status, Map<String, String> headers, byte[] body) {
    public DashboardResponse {
        headers = Map.copyOf(headers);
    }

    /** HTML in UTF-8. */
    public static DashboardResponse html(int status, String html) {
        return of(status, "text/html; charset=utf-8", html.getBytes(StandardCharsets.UTF_8));
    }

    /** JSON in UTF-8. */
    public static DashboardResponse json(String json) {
        return of(200, "application/json", json.getBytes(StandardCharsets.UTF_8));
    }

    /** @param body encoded in this content type */
    public static DashboardResponse of(int status, String contentType, byte[] body) {
        return new DashboardResponse(status, Map.of("Content-Type", contentType), body);
    }

    /** A copy with this header. */
    public DashboardResponse withHeader(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(headers);
        changed.put(name, value);
        return new DashboardResponse(status, changed, body);
    }
}
