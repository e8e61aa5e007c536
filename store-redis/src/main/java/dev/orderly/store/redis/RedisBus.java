package dev.orderly.store.redis;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.store.Bus;
import dev.orderly.time.Time;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bus by Redis pub/sub: a channel for each topic, a connection to receive and one to send. Every message begins
 * with its sender, so that a node skips its own. Broken connections are opened again in the background; messages sent
 * meanwhile are lost. Listeners run on a thread of the connection. Thread-safe.
 */
final class RedisBus implements Bus, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedisBus.class);
    private static final int SENDER = 16;
    /** Bound of the bytes being sent; messages beyond it are dropped. */
    private static final int PENDING_MOST = 16 << 20;
    private static final Duration CHECK = Duration.ofSeconds(2);
    private static final Duration RETRY = Duration.ofMillis(500);

    private final Connections servers;
    private final String prefix;
    private final byte[] sender;
    private final BackgroundLoop loop;
    private final List<Subscription> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger pending = new AtomicInteger();
    private volatile @Nullable ConnectionPair connections;
    private volatile boolean closed;
    /** Used by the loop's thread only. */
    private boolean lossLogged;

    private record Subscription(Topic topic, Consumer<byte[]> listener) {}

    private record ConnectionPair(StatefulRedisPubSubConnection<String, byte[]> receiving,
            StatefulRedisConnection<String, byte[]> sending) {
        boolean isOpen() {
            return receiving.isOpen() && sending.isOpen();
        }

        void close() {
            var _ = receiving.closeAsync();
            var _ = sending.closeAsync();
        }
    }

    RedisBus(Connections servers, String prefix, RandomGenerator random, Time time) {
        this.servers = servers;
        this.prefix = prefix;
        sender = ByteBuffer.allocate(SENDER).putLong(random.nextLong()).putLong(random.nextLong()).array();
        loop = new BackgroundLoop("redis-bus", time, this::step);
    }

    /** Listens from now on. */
    void open() {
        connections = connect();
        loop.start();
    }

    @Override
    public void publish(Topic topic, byte[] message) {
        Bus.check(message.length);
        ConnectionPair now = connections;
        if (closed || now == null || !now.isOpen()) {
            return;
        }
        int size = SENDER + message.length;
        if (pending.addAndGet(size) > PENDING_MOST) {
            pending.addAndGet(-size);
            return;
        }
        byte[] framed = ByteBuffer.allocate(size).put(sender).put(message).array();
        try {
            var _ = now.sending().async().publish(channel(topic), framed)
                    .whenComplete((_, _) -> pending.addAndGet(-size));
        } catch (RedisException e) {
            pending.addAndGet(-size); // the connection has just been lost, and the message with it
        }
    }

    @Override
    public void subscribe(Topic topic, Consumer<byte[]> listener) {
        listeners.add(new Subscription(topic, listener));
    }

    private void receive(String channel, byte[] framed) {
        if (closed || framed.length <= SENDER || Arrays.equals(framed, 0, SENDER, sender, 0, SENDER)) {
            return;
        }
        byte[] message = Arrays.copyOfRange(framed, SENDER, framed.length);
        for (Subscription each : listeners) {
            if (channel(each.topic()).equals(channel)) {
                try {
                    each.listener().accept(message);
                } catch (RuntimeException e) {
                    LOG.error("A listener for messages of other nodes failed", e);
                }
            }
        }
    }

    private String channel(Topic topic) {
        return prefix + ":bus:" + topic.name().toLowerCase(Locale.ROOT);
    }

    private Duration step() {
        ConnectionPair now = connections;
        if (closed) {
            return CHECK;
        }
        try {
            if (now != null && now.isOpen()) {
                now.receiving().sync().ping();
                now.sending().sync().ping();
                return CHECK;
            }
        } catch (RedisException e) {
            LOG.debug("A connection of the bus does not answer", e);
        }
        if (now != null) {
            connections = null; // closed once: the client's library warns of each further time
            now.close();
        }
        if (!lossLogged) {
            LOG.warn("The connection for messages between nodes was lost; it is opened again by itself");
            lossLogged = true;
        }
        try {
            connections = connect();
            lossLogged = false;
            LOG.info("The connection for messages between nodes is back");
            return CHECK;
        } catch (RedisException e) {
            return RETRY;
        }
    }

    private ConnectionPair connect() {
        RedisCodec<String, byte[]> codec = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
        RedisURI server = servers.anyServer();
        StatefulRedisPubSubConnection<String, byte[]> receiving = servers.client().connectPubSub(codec, server);
        try {
            receiving.setTimeout(RedisOptions.COMMAND);
            receiving.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, byte[] message) {
                    receive(channel, message);
                }
            });
            receiving.addListener(new LossListener(loop));
            List<String> channels = new ArrayList<>();
            for (Topic topic : Topic.values()) {
                channels.add(channel(topic));
            }
            receiving.sync().subscribe(channels.toArray(String[]::new));
            StatefulRedisConnection<String, byte[]> sending = servers.client().connect(codec, server);
            sending.setTimeout(RedisOptions.COMMAND);
            sending.addListener(new LossListener(loop));
            return new ConnectionPair(receiving, sending);
        } catch (RuntimeException e) {
            var _ = receiving.closeAsync();
            throw e;
        }
    }

    /** Stops the loop. The client closes the connections. */
    @Override
    public void close() {
        closed = true;
        loop.stop(RedisOptions.CONNECT);
    }
}
