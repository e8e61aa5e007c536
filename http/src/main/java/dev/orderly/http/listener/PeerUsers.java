package dev.orderly.http.listener;

import io.vertx.core.net.SocketAddress;

/** Finds the users behind connections from this machine. Thread-safe. */
@FunctionalInterface
public interface PeerUsers {
    /** The user of a connection whose user is not known. */
    long UNKNOWN = -1;

    /** Finds no user. */
    PeerUsers NONE = (_, _) -> UNKNOWN;

    /**
     * The numeric id of the user at the peer's end; {@link #UNKNOWN} if it is not known, or not of this machine. Called
     * once for each connection on its event loop; must not block.
     */
    long user(SocketAddress peer, SocketAddress own);
}
