package dev.orderly.dashboard.live;

import dev.orderly.dashboard.page.Page;
import dev.orderly.live.OnlineUser;
import dev.orderly.node.NodeStatus;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Users who are connected.
 *
 * @param users connected to any node, or the one asked for
 * @param unreachable nodes that did not answer
 * @param next the last user of a full page; null at the end
 * @param asked the user who was asked for; null for all
 */
public record LivePage(List<OnlineUser> users, List<String> unreachable, @Nullable String next,
        @Nullable String asked, List<NodeStatus> nodes) implements Page {
    @Override
    public String title() {
        return "Live connections";
    }

    @Override
    public String template() {
        return "live/live.jte";
    }

    /** A user id as a segment of a path, or a value of a query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
