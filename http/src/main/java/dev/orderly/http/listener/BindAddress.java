package dev.orderly.http.listener;

import dev.orderly.web.header.Authority;

/**
 * The address on which a listener listens.
 *
 * @param host a name or literal address of this machine; {@code 0.0.0.0} or {@code ::} for all addresses
 * @param port 0 to 65535; 0 takes a free port, which the listener reports once it has started
 */
public record BindAddress(String host, int port) {
    /** The loopback address of every machine. */
    public static final String LOOPBACK = "127.0.0.1";

    /** @throws IllegalArgumentException naming the value that is out of its bounds */
    public BindAddress {
        if (host.isBlank()) {
            throw new IllegalArgumentException("The host to listen on is empty: use 127.0.0.1, 0.0.0.0 or a name");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("The port to listen on is " + port + ": use 0 (any free one) to 65535");
        }
    }

    /** A port of the loopback address. */
    public static BindAddress loopback(int port) {
        return new BindAddress(LOOPBACK, port);
    }

    /** Whether only this machine can connect; decided by the text, without a name lookup. */
    public boolean isLoopback() {
        return Authority.isLoopback(host);
    }
}
