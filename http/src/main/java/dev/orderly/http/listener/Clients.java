package dev.orderly.http.listener;

/**
 * The identification of a listener's clients.
 *
 * @param keys the keys by which their shares are counted
 * @param guard decides which of their connections are served
 * @param users finds the users behind connections from this machine
 */
public record Clients(ClientKeys keys, ConnectionGuard guard, PeerUsers users) {
    /** All clients, counted by these keys. */
    public static Clients by(ClientKeys keys) {
        return new Clients(keys, ConnectionGuard.NONE, PeerUsers.NONE);
    }
}
