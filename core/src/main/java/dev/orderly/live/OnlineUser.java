package dev.orderly.live;

import dev.orderly.user.UserId;

/**
 * A user who is connected to this node.
 *
 * @param connections devices and tabs, to this node
 */
public record OnlineUser(UserId user, int connections) {}
