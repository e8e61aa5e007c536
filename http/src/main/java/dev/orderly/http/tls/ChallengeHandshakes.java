package dev.orderly.http.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslClientHelloHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Answers an authority's handshakes for {@link TlsChallenges} in front of a listener's own TLS, whichever engine that
 * has: reads the first message of a handshake, and hands every other connection on as it came. Nothing is added to
 * connections while no challenge is open.
 */
public final class ChallengeHandshakes implements AcceptedChannel {
    private static final int HELLO_MAX = 64 << 10;

    private final TlsChallenges challenges;
    private final AcceptedChannel next;
    private final Duration handshake;

    /**
     * Handshakes of new connections.
     *
     * @param next called first, with each new connection
     * @param handshake longest time of a handshake
     */
    public ChallengeHandshakes(TlsChallenges challenges, Duration handshake, AcceptedChannel next) {
        this.challenges = challenges;
        this.handshake = handshake;
        this.next = next;
    }

    @Override
    public void accepted(Channel channel) {
        next.accepted(channel);
        if (challenges.isOpen() && channel.isOpen()) {
            ChannelHandlerContext own = Objects.requireNonNull(channel.pipeline().context(SslHandler.class),
                    "a connection is reported when its TLS is there");
            channel.pipeline().addBefore(own.name(), null, new FirstMessage());
        }
    }

    private final class FirstMessage extends SslClientHelloHandler<Optional<SslContext>> {
        FirstMessage() {
            super(HELLO_MAX);
        }

        @Override
        protected Future<Optional<SslContext>> lookup(ChannelHandlerContext context, ByteBuf hello) {
            return context.executor().newSucceededFuture(challenge(hello));
        }

        /** Without a hello that can be read, the listener's own TLS refuses the handshake. */
        private Optional<SslContext> challenge(ByteBuf hello) {
            try {
                ClientOffer offer = ClientOffer.of(hello);
                return offer.protocols().contains(TlsChallenges.PROTOCOL)
                        ? challenges.find(offer.host())
                        : Optional.empty();
            } catch (IndexOutOfBoundsException _) {
                return Optional.empty();
            }
        }

        @Override
        protected void onLookupComplete(ChannelHandlerContext context, Future<Optional<SslContext>> found) {
            ChannelPipeline pipeline = context.pipeline();
            found.getNow().ifPresent(challenge -> {
                SslHandler tls = challenge.newHandler(context.alloc());
                tls.setHandshakeTimeoutMillis(handshake.toMillis());
                pipeline.addAfter(context.name(), null, new EndAfterHandshake());
                pipeline.addAfter(context.name(), null, tls);
            });
            pipeline.remove(this); // sends what was read to the next handler
        }
    }

    /** The handshake is the whole answer (RFC 8737, section 3): nothing reaches the listener. */
    private static final class EndAfterHandshake extends ChannelInboundHandlerAdapter {
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent) {
                var _ = context.close();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
        }
    }
}
