package dev.orderly.http.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLEngine;

/**
 * The handler of a connection whose client has not yet said which certificate it needs. Vert.x asks for a handler of
 * TLS when a connection opens, so this one gives way at once to a reader of the ClientHello, and that to the real one.
 */
final class PendingHandshake extends SslHandler {
    /** Larger than any ClientHello with keys of post-quantum cryptography. */
    private static final int HELLO_BYTES = 32 << 10;

    private final TlsContexts contexts;
    private final AcceptedChannel accepted;
    private final Duration handshake;

    /**
     * @param unused an engine that gets no bytes
     * @param accepted called when the connection is open
     * @param handshake longest time of each of the two parts of a handshake
     */
    PendingHandshake(SSLEngine unused, TlsContexts contexts, AcceptedChannel accepted, Duration handshake) {
        super(unused);
        this.contexts = contexts;
        this.accepted = accepted;
        this.handshake = handshake;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        accepted.accepted(context.channel());
        context.pipeline().replace(this, context.name(), new HelloReader());
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        var _ = context.close(promise); // there is no TLS to be ended
    }

    @Override
    public void handlerRemoved0(ChannelHandlerContext context) {
        // its engine belongs to all connections, and nobody waits for its handshake
    }

    private final class HelloReader extends AbstractSniHandler<SslContext> {
        HelloReader() {
            super(HELLO_BYTES, handshake.toMillis());
        }

        @Override
        protected Future<SslContext> lookup(ChannelHandlerContext context, ByteBuf body) {
            ClientHello hello = body == null ? ClientHello.EMPTY : ClientHello.read(body);
            return context.executor().newSucceededFuture(contexts.choose(hello));
        }

        @Override
        protected Future<SslContext> lookup(ChannelHandlerContext context, String host) {
            throw new UnsupportedOperationException("The whole ClientHello decides");
        }

        @Override
        protected void onLookupComplete(ChannelHandlerContext context, String host, Future<SslContext> chosen) {
            SslHandler handler = chosen.getNow().newHandler(context.alloc());
            handler.setHandshakeTimeout(handshake.toMillis(), TimeUnit.MILLISECONDS);
            context.pipeline().replace(this, context.name(), handler);
        }
    }
}
