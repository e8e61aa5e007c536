package dev.orderly.dashboard.exchange;

import dev.orderly.access.Role;
import dev.orderly.operate.OperationSpec;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A page or an action of the dashboard: one method on one path.
 *
 * @param operation the operation that it runs; null for a page, and for a question
 * @param path segments are literals or names, such as {@code /queues/{queue}/pause}
 * @param least the role that it needs
 */
public record Route(@Nullable OperationSpec operation, String method, String path, Role least, Answer answer) {
    public Route(String method, String path, Role least, Answer answer) {
        this(null, method, path, least, answer);
    }

    /** The action that runs an operation, in place of the method and the path that it has in the API. */
    public Route(OperationSpec operation, String path, Answer answer) {
        this(operation, "POST", path, operation.least(), answer);
    }

    /** The id of the operation, or of the page. */
    public String id() {
        return operation == null ? "page" + path : operation.id();
    }

    /** Answers a request of the route; blocks on the store. */
    @FunctionalInterface
    public interface Answer {
        /** @throws Refused if it is not served as asked */
        DashboardResponse to(DashboardRequest request);
    }

    /** The values of the names in the path; empty if the path does not match. */
    public Optional<Map<String, String>> match(String asked) {
        String[] pattern = path.split("/", -1);
        String[] segments = asked.split("/", -1);
        if (pattern.length != segments.length) {
            return Optional.empty();
        }
        Map<String, String> params = new HashMap<>();
        for (int i = 0; i < pattern.length; i++) {
            String part = pattern[i];
            if (part.startsWith("{") && !segments[i].isEmpty()) {
                params.put(part.substring(1, part.length() - 1), decoded(segments[i]));
            } else if (!part.equals(segments[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(params);
    }

    /** A segment has percent-encoding only: a plus sign is itself. */
    private static String decoded(String segment) {
        try {
            return URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw Refused.unknown("The page /" + segment, "check the address");
        }
    }
}
