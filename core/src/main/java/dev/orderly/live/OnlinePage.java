package dev.orderly.live;

import java.util.List;
import java.util.Objects;

/**
 * A part of the users who are connected to any node.
 *
 * @param users in the order of their ids
 * @param unreachable nodes that did not answer, by host and process: users of these nodes alone may be missing
 */
public record OnlinePage(List<OnlineUser> users, List<String> unreachable) {
    public OnlinePage {
        Objects.requireNonNull(users, "users");
        Objects.requireNonNull(unreachable, "unreachable");
        users = List.copyOf(users);
        unreachable = List.copyOf(unreachable);
    }
}
