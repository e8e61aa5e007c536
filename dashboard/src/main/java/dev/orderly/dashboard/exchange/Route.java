package dev.orderly.dashboard.exchange;

import dev.orderly.access.Role;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A page or an action of the dashboard: one method on one path.
 *
 * @param path segments are literals or names, such as {@code /queues/{queue}/pause}
 * @param least the role that it needs
 */
public record Route(String method, String path, Role least, Answer answer) {
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
