package dev.orderly.config;

import org.jspecify.annotations.Nullable;

/**
 * The address of a listener. Port 0 means any free port.
 *
 * @param tls null for connections without TLS
 */
public record ListenAddress(String host, int port, @Nullable TlsConfig tls) {
    public ListenAddress(String host, int port) {
        this(host, port, null);
    }

    /** Another host, with the same port and TLS. */
    public ListenAddress withHost(String other) {
        return new ListenAddress(other, port, tls);
    }

    /** The same address with other TLS; null for none. */
    public ListenAddress withTls(@Nullable TlsConfig other) {
        return new ListenAddress(host, port, other);
    }
}
