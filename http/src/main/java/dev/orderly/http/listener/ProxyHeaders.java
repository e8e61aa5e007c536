package dev.orderly.http.listener;

import dev.orderly.flow.LogLimit;
import dev.orderly.time.Time;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.haproxy.HAProxyProtocolException;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.transport.Transport;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
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

    /**
     * The Vert.x of a listener.
     *
     * @param awaits called with each new connection from which a header is expected, on its event loop
     */
    Vertx vertx(VertxOptions options, Consumer<Channel> awaits) {
        Predicate<String> known = proxies;
        VertxBuilder builder = Vertx.builder().with(options);
        return (known == null
                ? builder
                : builder.withTransport(new CountingTransport(channel -> maySend(channel, known), awaits))).build();
    }

    /** Whether a connection may send a header. */
    private boolean maySend(Channel channel, Predicate<String> known) {
        return !(channel.remoteAddress() instanceof InetSocketAddress peer) || peer.getAddress().isLoopbackAddress()
                || isProxy(peer.getAddress().getHostAddress(), known);
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

    /**
     * The transport of a listener with the PROXY protocol: connections are reported when they are accepted, since
     * Vert.x sees them only after their header.
     *
     * @param serves called on the accepting thread; false to close the connection at once. Must not block
     * @param awaits called on the event loop of each connection that is served
     */
    private record CountingTransport(Predicate<Channel> serves, Consumer<Channel> awaits) implements Transport {
        @Override
        public String name() {
            return "nio";
        }

        @Override
        public boolean available() {
            return true;
        }

        @Override
        public @Nullable Throwable unavailabilityCause() {
            return null;
        }

        @Override
        public io.vertx.core.spi.transport.Transport implementation() {
            return new NioTransport() {
                @Override
                public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
                    return domainSocket ? super.serverChannelFactory(true) : Acceptor::new;
                }
            };
        }

        private final class Arrival extends ChannelInitializer<Channel> {
            @Override
            protected void initChannel(Channel channel) {
                awaits.accept(channel);
            }
        }

        private final class Acceptor extends NioServerSocketChannel {
            @Override
            protected int doReadMessages(List<Object> accepted) throws Exception {
                int read = super.doReadMessages(accepted);
                if (read > 0 && accepted.getLast() instanceof Channel last) {
                    if (!serves.test(last)) {
                        accepted.removeLast();
                        last.unsafe().closeForcibly();
                        return 0;
                    }
                    last.pipeline().addLast(new Arrival()); // the connection has no event loop before
                }
                return read;
            }
        }
    }
}
