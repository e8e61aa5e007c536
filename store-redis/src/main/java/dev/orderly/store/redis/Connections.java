package dev.orderly.store.redis;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.Backoff;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of this process. All callers share it and pipeline their commands. A lost connection is opened again
 * in the background; until then calls fail at once. A command is sent once and never repeated: the caller decides that.
 */
final class Connections implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    /** Bound of the commands that wait for their answers, over all callers; further ones are refused. */
    private static final int PENDING_MOST = 10_000;
    private static final int THREADS = 2;
    private static final Duration RETRY_FIRST = Duration.ofMillis(50);
    private static final Duration RETRY_LAST = Duration.ofSeconds(1);
    /** Interval of checks, for a loss of the connection that was not notified. */
    private static final Duration CHECK = Duration.ofSeconds(1);

    private final RedisOptions options;
    private final RedisErrors errors;
    private final Duration patience;
    private final ClientResources resources;
    private final RedisClient client;
    private final BackgroundLoop loop;
    private final AtomicReference<@Nullable ServerLink> link = new AtomicReference<>();
    /** The error of callers while there is no connection. */
    private volatile StoreException why;
    private volatile boolean closed;
    private Duration retry = RETRY_FIRST;

    /** @param patience longest wait for an answer; after it the connection is closed */
    Connections(RedisOptions options, RedisErrors errors, Time time, Duration patience) {
        this.options = options;
        this.errors = errors;
        this.patience = patience;
        why = errors.away("the connection was lost");
        resources = DefaultClientResources.builder().ioThreadPoolSize(THREADS).computationThreadPoolSize(THREADS)
                .build();
        client = RedisClient.create(resources, options.uri());
        client.setOptions(ClientOptions.builder().autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS).requestQueueSize(PENDING_MOST)
                .socketOptions(SocketOptions.builder().connectTimeout(RedisOptions.CONNECT).keepAlive(true).build())
                .build());
        loop = new BackgroundLoop("redis", time, this::step);
    }

    /**
     * Connects for the first time, and from then on whenever the connection is lost.
     *
     * @throws StoreException.Unavailable if the server is not reached
     */
    ServerLink open() {
        try {
            ServerLink first = connect();
            link.set(first);
            loop.start();
            return first;
        } catch (RedisException e) {
            throw errors.unreached(e);
        }
    }

    /** The longest wait for an answer. */
    Duration patience() {
        return patience;
    }

    /** The client that opens further connections. */
    RedisClient client() {
        return client;
    }

    /** @throws StoreException.Unavailable if there is no connection now */
    ServerLink link() {
        ServerLink current = link.get();
        if (closed) {
            throw errors.away("this store is closed");
        }
        if (current == null || !current.connection().isOpen()) {
            throw new StoreException.Unavailable(why.getMessage() + "; it is retried by itself", null);
        }
        return current;
    }

    /** Closes a connection that does not answer, or leads to the wrong server. */
    void drop(ServerLink dropped, String reason) {
        lose(dropped, reason);
        loop.ring();
    }

    /** Closes a connection once, whoever finds it lost: the client's library warns of each further time. */
    private void lose(ServerLink lost, String reason) {
        if (link.compareAndSet(lost, null)) {
            why = errors.away(reason);
            LOG.warn("The connection to Redis at {} was lost", options);
            var _ = lost.connection().closeAsync();
        }
    }

    private Duration step() {
        ServerLink current = link.get();
        if (closed || (current != null && current.connection().isOpen())) {
            return CHECK;
        }
        if (current != null) {
            lose(current, "the connection was lost");
        }
        try {
            link.set(connect());
            why = errors.away("the connection was lost");
            retry = RETRY_FIRST;
            LOG.info("Redis at {} is connected again", options);
            return Duration.ZERO;
        } catch (RedisException e) {
            why = errors.unreached(e);
            Duration wait = retry;
            retry = Backoff.longer(retry, RETRY_LAST);
            return wait;
        }
    }

    private ServerLink connect() {
        StatefulRedisConnection<String, String> connection = client.connect(StringCodec.UTF8);
        try {
            connection.addListener(new LossListener(loop));
            connection.setTimeout(patience);
            return new ServerLink(connection, RedisServerFacts.run(connection));
        } catch (RuntimeException e) {
            var _ = connection.closeAsync();
            throw e;
        }
    }

    @Override
    public void close() {
        closed = true;
        loop.stop(RedisOptions.CONNECT);
        client.shutdown(0, RedisOptions.COMMAND.toMillis(), TimeUnit.MILLISECONDS);
        resources.shutdown(0, RedisOptions.COMMAND.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly(
                RedisOptions.COMMAND.toMillis());
    }
}
