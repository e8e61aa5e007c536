package dev.orderly.http.listener;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The transport of a listener: accepts connections only as fast as the event loops read from them. While too many wait
 * to be read for the first time, further clients wait in the backlog of the system, where they take no file handle, no
 * memory and no place among the listener's connections, and are gone if their client is.
 *
 * <p>Thread-safe.
 */
final class AcceptTransport implements Transport {
    /** Part of a listener's connections that may wait, and its bounds. */
    private static final int PART = 8;
    private static final int LEAST = 16;
    private static final int MOST = 256;
    /** By then an event loop has looked at what its new connections have sent. */
    private static final long A_ROUND_MILLIS = 1;

    private final int most;
    private final Predicate<Channel> serves;
    private final Consumer<Channel> arrived;
    private final AtomicInteger waiting = new AtomicInteger();
    private final List<Acceptor> acceptors = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    /**
     * A transport for one listener.
     *
     * @param connections most connections of the listener
     * @param serves called with each new connection on the accepting thread; false to close it at once. Must not block
     * @param arrived called with each served connection on its event loop, before anything is read. Must not block
     */
    AcceptTransport(int connections, Predicate<Channel> serves, Consumer<Channel> arrived) {
        this.most = Math.clamp(connections / PART, LEAST, MOST);
        this.serves = serves;
        this.arrived = arrived;
    }

    /**
     * Closes connections that come from now on. Blocks until those that were accepted before belong to an event loop,
     * at most for this time.
     */
    void stop(Duration patience) {
        stopped = true;
        for (Acceptor acceptor : acceptors) {
            acceptor.eventLoop().submit(() -> {}).awaitUninterruptibly(patience.toMillis());
        }
    }

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

    private void left() {
        if (waiting.decrementAndGet() == most / 2) {
            acceptors.forEach(acceptor -> acceptor.config().setAutoRead(true));
        }
    }

    private final class Acceptor extends NioServerSocketChannel {
        Acceptor() {
            acceptors.add(this);
        }

        @Override
        protected int doReadMessages(List<Object> accepted) throws Exception {
            if (waiting.get() >= most) {
                pause();
                return 0;
            }
            int read = super.doReadMessages(accepted);
            if (read > 0 && accepted.getLast() instanceof Channel last) {
                if (stopped || !serves.test(last)) {
                    accepted.removeLast();
                    last.unsafe().closeForcibly();
                    return 0;
                }
                waiting.incrementAndGet();
                last.pipeline().addLast(new Arrival(last)); // the connection has no event loop before
            }
            return read;
        }

        private void pause() {
            config().setAutoRead(false);
            if (waiting.get() <= most / 2) { // the loops were faster
                config().setAutoRead(true);
            }
        }
    }

    private final class Arrival extends ChannelInitializer<Channel> {
        private final AtomicBoolean over = new AtomicBoolean();

        Arrival(Channel channel) {
            channel.closeFuture().addListener(_ -> over());
        }

        @Override
        protected void initChannel(Channel channel) {
            arrived.accept(channel);
            var _ = channel.eventLoop().schedule(this::over, A_ROUND_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void over() {
            if (!over.getAndSet(true)) {
                left();
            }
        }
    }
}
