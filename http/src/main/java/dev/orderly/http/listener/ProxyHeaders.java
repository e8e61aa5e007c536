package dev.orderly.http.listener;

import dev.orderly.flow.LogLimit;
import dev.orderly.time.Time;
import io.netty.channel.Channel;
import io.netty.handler.codec.haproxy.HAProxyProtocolException;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.impl.ConnectionBase;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules of the PROXY protocol: only a proxy may name the address of another client. A connection from elsewhere, or
 * without the header, is closed and counted in a warning. Thread-safe.
 */
final class ProxyHeaders {
    private static final Logger LOG = LoggerFactory.getLogger(ProxyHeaders.class);
    private static final Duration PERIOD = Duration.ofMinutes(1);

    private final @Nullable Predicate<String> proxies;
    private final LogLimit warnings;

    /** @param proxies null if the listener does not use the protocol */
    ProxyHeaders(@Nullable Predicate<String> proxies, Time time) {
        this.proxies = proxies;
        this.warnings = new LogLimit(LOG, time, PERIOD);
    }

    /**
     * Whether a connection may be served. The header of a proxy that asks for itself names no address; the checks of
     * this process send such a header over loopback.
     */
    boolean accepts(Channel channel) {
        if (proxies == null || !(channel.remoteAddress() instanceof InetSocketAddress peer)) {
            return true;
        }
        boolean own = peer.getAddress().isLoopbackAddress() && !named(channel);
        return own || isProxy(peer.getAddress().getHostAddress(), proxies);
    }

    /** Whether connections begin with a header. */
    boolean isUsed() {
        return proxies != null;
    }

    /** Whether a new connection may send a header, if it has to. */
    boolean maySend(Channel channel) {
        return proxies == null || !(channel.remoteAddress() instanceof InetSocketAddress peer)
                || peer.getAddress().isLoopbackAddress() || isProxy(peer.getAddress().getHostAddress(), proxies);
    }

    private boolean isProxy(String address, Predicate<String> known) {
        if (known.test(address)) {
            return true;
        }
        warnings.warn("A connection from {} is closed, since it is no trusted proxy: edge.proxy-protocol lets proxies"
                + " connect only. If it is your proxy, add it to edge.trusted-proxies; if not, let the firewall keep"
                + " others away", address);
        return false;
    }

    private static boolean named(Channel channel) {
        return channel.attr(ConnectionBase.REMOTE_ADDRESS_OVERRIDE).get() != null;
    }

    /** The address of a connection's client: of the header, if it names one. */
    static SocketAddress client(Channel channel) {
        SocketAddress named = channel.attr(ConnectionBase.REMOTE_ADDRESS_OVERRIDE).get();
        return named == null ? SocketAddress.inetSocketAddress((InetSocketAddress) channel.remoteAddress()) : named;
    }

    /** Reports a connection that could not begin. */
    void failed(Throwable thrown) {
        if (thrown instanceof HAProxyProtocolException) {
            warnings.warn("A connection without the header of the PROXY protocol is closed ({}): let the proxy send it"
                    + " (nginx: proxy_protocol on, HAProxy: send-proxy-v2), or remove edge.proxy-protocol",
                    thrown.getMessage());
        } else {
            LOG.debug("A connection could not begin: {}", thrown.toString());
        }
    }
}
