package dev.orderly.store.redis;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.flow.Backoff;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of this process to a server. All callers share it and pipeline their commands. A lost connection is
 * opened again in the background; until then calls fail at once. A command is sent once and never repeated: the caller
 * decides that.
 */
final class ServerConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
    private static final Duration RETRY_FIRST = Duration.ofMillis(50);
    private static final Duration RETRY_LAST = Duration.ofSeconds(1);
    /** Interval of checks, for a loss of the connection that was not notified. */
    private static final Duration CHECK = Duration.ofSeconds(1);

    private final RedisClient client;
    private final RedisURI uri;
    private final String name;
    private final RedisErrors errors;
    private final Time time;
    private final Duration patience;
    private final BackgroundLoop loop;
    private final AtomicReference<@Nullable ServerLink> link = new AtomicReference<>();
    /** The error of callers while there is no connection. */
    private volatile StoreException why;
    private volatile boolean closed;
    /** The wait after a try; grows until a connection has lasted, since a server that refuses calls takes it, too. */
    private Duration retry = RETRY_FIRST;
    /** The moment of the next try. */
    private long next;

    /**
     * @param name of the server, without secrets
     * @param patience longest wait for an answer; after it the connection is closed
     */
    ServerConnection(RedisClient client, RedisURI uri, String name, Time time, Duration patience) {
        this.client = client;
        this.uri = uri;
        this.name = name;
        this.errors = new RedisErrors(name);
        this.time = time;
        next = time.nanos();
        this.patience = patience;
        why = errors.away("the connection was lost");
        loop = new BackgroundLoop("redis", time, this::step);
    }

    /**
     * Connects for the first time, and from then on whenever the connection is lost.
     *
     * @throws StoreException.Unavailable if the server is not reached; the connection is not tried again then
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

    RedisURI uri() {
        return uri;
    }

    boolean isOpen() {
        ServerLink current = link.get();
        return current != null && current.connection().isOpen();
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

    /** Closes a connection that does not answer, or leads to the wrong server; no effect on that of another server. */
    void drop(ServerLink dropped, String reason) {
        if (lose(dropped, reason)) {
            loop.ring();
        }
    }

    /** Closes a connection once, whoever finds it lost: the client's library warns of each further time. */
    private boolean lose(ServerLink lost, String reason) {
        boolean first = link.compareAndSet(lost, null);
        if (first) {
            why = errors.away(reason);
            LOG.warn("The connection to Redis at {} was lost", name);
            var _ = lost.connection().closeAsync();
        }
        return first;
    }

    private Duration step() {
        ServerLink current = link.get();
        boolean lasts = current != null && current.connection().isOpen();
        if (lasts && time.reached(next)) {
            retry = RETRY_FIRST;
        }
        if (closed || lasts) {
            return CHECK;
        }
        if (current != null) {
            lose(current, "the connection was lost");
        }
        if (!time.reached(next)) { // a ring has ended the wait
            return Duration.ofNanos(next - time.nanos());
        }
        try {
            link.set(connect());
            why = errors.away("the connection was lost");
            LOG.info("Redis at {} is connected again", name);
        } catch (RedisException e) {
            why = errors.unreached(e);
        }
        next = time.deadline(retry);
        retry = Backoff.longer(retry, RETRY_LAST);
        return Duration.ZERO;
    }

    private ServerLink connect() {
        StatefulRedisConnection<String, String> connection = client.connect(StringCodec.UTF8, uri);
        try {
            connection.addListener(new LossListener(loop));
            connection.setTimeout(patience);
            return new ServerLink(connection, RedisServerFacts.run(connection), new ReplicaWaits());
        } catch (RuntimeException e) {
            var _ = connection.closeAsync();
            throw e;
        }
    }

    void close() {
        closed = true;
        loop.stop(RedisOptions.CONNECT);
        ServerLink last = link.getAndSet(null);
        if (last != null) {
            var _ = last.connection().closeAsync();
        }
    }
}
