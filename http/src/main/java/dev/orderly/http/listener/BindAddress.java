package dev.orderly.http.listener;

import java.util.regex.Pattern;

/**
 * The address on which a listener listens.
 *
 * @param host a name or literal address of this machine; {@code 0.0.0.0} or {@code ::} for all addresses
 * @param port 0 to 65535; 0 takes a free port, which the listener reports once it has started
 */
public record BindAddress(String host, int port) {
    /** The loopback address of every machine. */
    public static final String LOOPBACK = "127.0.0.1";

    private static final Pattern LOOPBACK_NAMES = Pattern
            .compile("localhost|127(\\.\\d{1,3}){3}|\\[?::1]?", Pattern.CASE_INSENSITIVE);

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
        return isLoopback(host);
    }

    /** Whether the host part of a URL or {@code Host} header names this machine's loopback. */
    public static boolean isLoopback(String host) {
        return LOOPBACK_NAMES.matcher(host).matches();
    }
}
