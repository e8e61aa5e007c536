package dev.orderly.live;

/**
 * Code that takes what users send over their connections.
 *
 * <p>Runs on a thread of its own in the {@link dev.orderly.user.UserScope} of the sender, so that what it pushes belongs to
 * them. It may block, as long as {@link LiveOptions#timeout()} allows; then its thread is interrupted. Messages of one
 * connection come in order, one at a time. What it throws is logged; the sender is told only that it failed.
 */
@FunctionalInterface
public interface MessageHandler {
    void handle(ClientMessage message) throws Exception;
}
