package dev.orderly.http.listener;

/**
 * The identification of a listener's clients.
 *
 * @param keys the keys by which their shares are counted
 * @param guard decides which of their connections are served
 */
public record Clients(ClientKeys keys, ConnectionGuard guard) {
    /** All clients, counted by these keys. */
    public static Clients by(ClientKeys keys) {
        return new Clients(keys, ConnectionGuard.NONE);
    }
}
