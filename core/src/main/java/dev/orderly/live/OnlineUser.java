package dev.orderly.live;

import dev.orderly.user.UserId;

/**
 * A user who is connected.
 *
 * @param connections devices and tabs: to this node, or to all nodes that were asked
 */
public record OnlineUser(UserId user, int connections) {}
