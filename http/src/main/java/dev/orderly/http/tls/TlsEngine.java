package dev.orderly.http.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.util.List;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * The TLS engine of a listener, in place of the one that Vert.x builds: a new connection is reported before its
 * handshake, so that handshakes are counted, and only suites with forward secrecy and authenticated encryption are
 * offered.
 */
final class TlsEngine extends JdkSSLEngineOptions {
    private final ListenerTls tls;
    private final AcceptedChannel accepted;

    TlsEngine(ListenerTls tls, AcceptedChannel accepted) {
        this.tls = tls;
        this.accepted = accepted;
    }

    @Override
    public JdkSSLEngineOptions copy() {
        return this;
    }

    @Override
    public SslContextFactory sslContextFactory() {
        return new Factory();
    }

    private SslContext context(List<String> protocols) throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forServer(new CertificateKeyManager(tls.certificates()))
                .sslProvider(SslProvider.JDK).protocols(ListenerTls.VERSIONS)
                .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(new ApplicationProtocolConfig(Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT, protocols));
        ClientAuthorities clients = tls.clients();
        if (clients != null) {
            builder.trustManager(clients.authorities())
                    .clientAuth(clients.required() ? ClientAuth.REQUIRE : ClientAuth.OPTIONAL);
        }
        return new Context(builder.build());
    }

    /** The part of Vert.x's factory that its listeners use. */
    private final class Factory implements SslContextFactory {
        private List<String> protocols = List.of();

        @Override
        public SslContextFactory applicationProtocols(List<String> applicationProtocols) {
            protocols = applicationProtocols;
            return this;
        }

        @Override
        public SslContext create() throws SSLException {
            return context(protocols);
        }
    }

    private final class Context extends DelegatingSslContext {
        Context(SslContext context) {
            super(context);
        }

        @Override
        protected SslHandler newHandler(ByteBufAllocator allocator, boolean startTls, Executor executor) {
            return new Handler(newEngine(allocator), startTls, executor);
        }

        @Override
        protected SslHandler newHandler(ByteBufAllocator allocator, String host, int port, boolean startTls,
                Executor executor) {
            return new Handler(newEngine(allocator, host, port), startTls, executor);
        }

        @Override
        protected void initEngine(SSLEngine engine) {
            // the inner context has set it up
        }
    }

    private final class Handler extends SslHandler {
        Handler(SSLEngine engine, boolean startTls, Executor executor) {
            super(engine, startTls, executor);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) throws Exception {
            super.handlerAdded(context);
            accepted.accepted(context.channel());
        }
    }
}
