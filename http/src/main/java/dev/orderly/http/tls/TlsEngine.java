package dev.orderly.http.tls;

import dev.orderly.time.Time;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslHandler;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * The TLS engine of a listener, in place of the one that Vert.x builds: a new connection is reported before its
 * handshake, so that handshakes are counted, and the client's first message decides about the context.
 */
final class TlsEngine extends JdkSSLEngineOptions implements AutoCloseable {
    private final ListenerTls tls;
    private final Duration handshake;
    private final AcceptedChannel accepted;
    private final Queue<TlsContexts> made = new ConcurrentLinkedQueue<>();

    TlsEngine(ListenerTls tls, Duration handshake, AcceptedChannel accepted) {
        this.tls = tls;
        this.handshake = handshake;
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

    private Context context(List<String> protocols) throws SSLException {
        TlsContextBuilder builder = new TlsContextBuilder(protocols, tls.clients());
        JdkContexts jdk = JdkContexts.of(builder, tls.certificates());
        TlsContexts contexts = switch (tls.library()) {
            case BORINGSSL -> new NativeContexts(tls.certificates(), builder, jdk, Time.system());
            case JDK -> jdk;
        };
        made.add(contexts);
        return new Context(jdk, contexts);
    }

    @Override
    public void close() {
        made.forEach(TlsContexts::close);
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
        public Context create() throws SSLException {
            return context(protocols);
        }
    }

    private final class Context extends DelegatingSslContext {
        private final TlsContexts contexts;
        private final SSLEngine unused;

        Context(JdkContexts jdk, TlsContexts contexts) {
            super(jdk.context());
            this.contexts = contexts;
            this.unused = jdk.context().newEngine(ByteBufAllocator.DEFAULT);
        }

        @Override
        protected SslHandler newHandler(ByteBufAllocator allocator, boolean startTls, Executor executor) {
            return new PendingHandshake(unused, contexts, accepted, handshake);
        }

        @Override
        protected SslHandler newHandler(ByteBufAllocator allocator, String host, int port, boolean startTls,
                Executor executor) {
            return new PendingHandshake(unused, contexts, accepted, handshake);
        }

        @Override
        protected void initEngine(SSLEngine engine) {
            // the inner context has set it up
        }
    }
}
