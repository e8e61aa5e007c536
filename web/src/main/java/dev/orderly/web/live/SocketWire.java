package dev.orderly.web.live;

import dev.orderly.live.CloseCode;

/** A WebSocket of a transport, as {@link SocketRules} uses it. */
public interface SocketWire {
    /** Runs an action in the order of the connection's own events, later or at once. Never blocks. */
    void execute(Runnable action);

    /** Stops the delivery of messages to {@link SocketRules#received} while a token is verified. */
    void pause();

    void resume();

    /** Sends a ping. Never blocks. */
    void ping();

    /** Begins the closing handshake with a code. Never blocks; may be called from any thread. */
    void close(CloseCode code, String reason);

    /** Cuts the connection without a handshake. */
    void cut();
}
