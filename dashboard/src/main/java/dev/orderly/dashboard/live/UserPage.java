package dev.orderly.dashboard.live;

import dev.orderly.dashboard.page.Link;
import dev.orderly.dashboard.page.Page;
import dev.orderly.live.UserConnections;
import java.util.List;

/**
 * One user.
 *
 * @param online on any node
 * @param connected to all nodes that answered
 */
public record UserPage(String user, boolean online, UserConnections connected) implements Page {
    @Override
    public String title() {
        return user;
    }

    @Override
    public List<Link> trail() {
        return List.of(new Link("Live connections", "/live"));
    }

    @Override
    public String template() {
        return "live/user.jte";
    }

    /** The id as a segment of a path. */
    public String encoded() {
        return LivePage.encoded(user);
    }
}
