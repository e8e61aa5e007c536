package dev.orderly.http.listener;

/**
 * How a listener tells its clients apart.
 *
 * @param keys by which their shares are counted
 * @param guard which of their connections are served
 */
public record Clients(ClientKeys keys, ConnectionGuard guard) {
    /** All clients, counted by these keys. */
    public static Clients by(ClientKeys keys) {
        return new Clients(keys, ConnectionGuard.NONE);
    }
}
