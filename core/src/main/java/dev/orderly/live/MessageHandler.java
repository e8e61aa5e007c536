package dev.orderly.live;

/**
 * Application code that handles messages from users.
 *
 * <p>Runs on a thread of its own in the {@link dev.orderly.user.UserScope} of the sender, so jobs that it pushes belong
 * to the sender. It may block up to {@link LiveOptions#timeout()}; then its thread is interrupted. Messages of one
 * connection are handled in order, one at a time. An exception is logged; the sender learns only that the message
 * failed.
 */
@FunctionalInterface
public interface MessageHandler {
    void handle(ClientMessage message) throws Exception;
}
