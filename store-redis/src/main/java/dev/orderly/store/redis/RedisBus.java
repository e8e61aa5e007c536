package dev.orderly.store.redis;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.store.Bus;
import dev.orderly.time.Time;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
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
 * The bus by Redis pub/sub: a channel for each topic, a connection to hear and one to tell. Every message begins with
 * whose it is, so a node passes over its own. Connections that break are made anew in the background; until then nothing
 * is told or heard. Listeners are told on a thread of the connection.
 */
final class RedisBus implements Bus, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedisBus.class);
    private static final int SENDER = 16;
    /** Bytes that are on their way; what is told beyond is lost. */
    private static final int PENDING_MOST = 16 << 20;
    private static final Duration CHECK = Duration.ofSeconds(2);
    private static final Duration RETRY = Duration.ofMillis(500);

    private final RedisClient client;
    private final String prefix;
    private final byte[] sender;
    private final BackgroundLoop loop;
    private final List<Listening> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger pending = new AtomicInteger();
    private volatile @Nullable Ends ends;
    private volatile boolean closed;
    /** The loop's own. */
    private boolean lossTold;

    private record Listening(Topic topic, Consumer<byte[]> listener) {}

    private record Ends(StatefulRedisPubSubConnection<String, byte[]> hear,
            StatefulRedisConnection<String, byte[]> tell) {
        boolean isOpen() {
            return hear.isOpen() && tell.isOpen();
        }

        void close() {
            var _ = hear.closeAsync();
            var _ = tell.closeAsync();
        }
    }

    RedisBus(RedisClient client, String prefix, RandomGenerator random, Time time) {
        this.client = client;
        this.prefix = prefix;
        sender = ByteBuffer.allocate(SENDER).putLong(random.nextLong()).putLong(random.nextLong()).array();
        loop = new BackgroundLoop("redis-bus", time, this::step);
    }

    /** Listens from now on. */
    void open() {
        ends = connect();
        loop.start();
    }

    @Override
    public void publish(Topic topic, byte[] message) {
        Bus.check(message.length);
        Ends now = ends;
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
            var _ = now.tell().async().publish(channel(topic), framed)
                    .whenComplete((_, _) -> pending.addAndGet(-size));
        } catch (RedisException e) {
            pending.addAndGet(-size); // the connection has just gone: lost, like all that is told meanwhile
        }
    }

    @Override
    public void subscribe(Topic topic, Consumer<byte[]> listener) {
        listeners.add(new Listening(topic, listener));
    }

    private void arrived(String channel, byte[] framed) {
        if (closed || framed.length <= SENDER || Arrays.equals(framed, 0, SENDER, sender, 0, SENDER)) {
            return;
        }
        byte[] message = Arrays.copyOfRange(framed, SENDER, framed.length);
        for (Listening each : listeners) {
            if (channel(each.topic()).equals(channel)) {
                try {
                    each.listener().accept(message);
                } catch (RuntimeException e) {
                    LOG.error("What another node told was not taken", e);
                }
            }
        }
    }

    private String channel(Topic topic) {
        return prefix + ":bus:" + topic.name().toLowerCase(Locale.ROOT);
    }

    private Duration step() {
        Ends now = ends;
        if (closed) {
            return CHECK;
        }
        try {
            if (now != null && now.isOpen()) {
                now.hear().sync().ping();
                now.tell().sync().ping();
                return CHECK;
            }
        } catch (RedisException e) {
            LOG.debug("A connection of the bus does not answer", e);
        }
        if (now != null) {
            now.close();
        }
        if (!lossTold) {
            LOG.warn("The connection for messages between nodes was lost; it is made anew by itself");
            lossTold = true;
        }
        try {
            ends = connect();
            lossTold = false;
            LOG.info("The connection for messages between nodes is back");
            return CHECK;
        } catch (RedisException e) {
            return RETRY;
        }
    }

    private Ends connect() {
        RedisCodec<String, byte[]> codec = RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);
        StatefulRedisPubSubConnection<String, byte[]> hear = client.connectPubSub(codec);
        try {
            hear.setTimeout(RedisOptions.COMMAND);
            hear.addListener(new RedisPubSubAdapter<>() {
                @Override
                public void message(String channel, byte[] message) {
                    arrived(channel, message);
                }
            });
            hear.addListener(new LossListener(loop));
            List<String> channels = new ArrayList<>();
            for (Topic topic : Topic.values()) {
                channels.add(channel(topic));
            }
            hear.sync().subscribe(channels.toArray(String[]::new));
            StatefulRedisConnection<String, byte[]> tell = client.connect(codec);
            tell.setTimeout(RedisOptions.COMMAND);
            tell.addListener(new LossListener(loop));
            return new Ends(hear, tell);
        } catch (RuntimeException e) {
            var _ = hear.closeAsync();
            throw e;
        }
    }

    /** Its connections are closed with the client that made them. */
    @Override
    public void close() {
        closed = true;
        loop.stop(RedisOptions.CONNECT);
    }
}
