package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
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

    /** Its part of a line in the log. */
    String inForce() {
        return host + ":" + port + (tls == null ? "" : " with TLS by " + tls);
    }

    static ListenAddress read(CheckedSection at, KeySpec.Key<String> host, KeySpec.Key<Integer> port) {
        return new ListenAddress(at.value(host).orElse("localhost"), at.value(port).orElse(0), TlsConfig.read(at));
    }
}
