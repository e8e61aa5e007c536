package dev.orderly.http.listener;

import dev.orderly.http.tls.ListenerTls;
import dev.orderly.http.tls.TlsChallenges;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The way in which connections reach a listener.
 *
 * @param tls null for connections without TLS
 * @param proxies whether an address is that of a proxy, all of whose connections begin with the header of the PROXY
 *     protocol, version 1 or 2; null if no connection does
 * @param challenges answered by handshakes
 */
public record ListenerTransport(BindAddress bind, @Nullable ListenerTls tls, @Nullable Predicate<String> proxies,
        TlsChallenges challenges) {
    /** Connections without TLS. */
    public static ListenerTransport plain(BindAddress bind) {
        return new ListenerTransport(bind, null, null, TlsChallenges.NONE);
    }

    public static ListenerTransport tls(BindAddress bind, ListenerTls tls) {
        return new ListenerTransport(bind, tls, null, TlsChallenges.NONE);
    }

    /** The same, with the PROXY protocol: connections from other addresses are closed. */
    public ListenerTransport withProxies(Predicate<String> isProxy) {
        return new ListenerTransport(bind, tls, isProxy, challenges);
    }

    /** The same, answering challenges of an authority. */
    public ListenerTransport withChallenges(TlsChallenges answered) {
        return new ListenerTransport(bind, tls, proxies, answered);
    }

    /** The scheme of URLs of the listener. */
    public String scheme() {
        return tls == null ? "http" : "https";
    }
}
