package dev.orderly.store.redis;

import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections of this process: to the one server of an address, or to the primaries of a cluster. */
final class Connections implements AutoCloseable {
    /** Bound of the commands that wait for their answers, over all callers; further ones are refused. */
    private static final int PENDING_MOST = 10_000;
    private static final int THREADS = 2;

    private final Duration patience;
    private final ClientResources resources;
    private final RedisClient client;
    private final ServerConnection one;
    private final @Nullable ClusterServers cluster;

    /** @param patience longest wait for an answer; after it a connection is closed */
    Connections(RedisOptions options, RedisErrors errors, Time time, Duration patience) {
        this.patience = patience;
        resources = DefaultClientResources.builder().ioThreadPoolSize(THREADS).computationThreadPoolSize(THREADS)
                .build();
        client = RedisClient.create(resources);
        client.setOptions(ClientOptions.builder().autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS).requestQueueSize(PENDING_MOST)
                .socketOptions(SocketOptions.builder().connectTimeout(RedisOptions.CONNECT).keepAlive(true).build())
                .build());
        List<RedisURI> uris = options.uris();
        one = new ServerConnection(client, uris.getFirst(), options.toString(), time, patience);
        cluster = options.isCluster()
                ? new ClusterServers(uris, errors, uri -> new ServerConnection(client, uri,
                        uri.getHost() + ":" + uri.getPort() + " of " + options, time, patience), time)
                : null;
    }

    /**
     * Connects for the first time, and from then on whenever a connection is lost.
     *
     * @throws StoreException.Unavailable if the server is not reached
     */
    Collection<ServerLink> open() {
        return cluster == null ? List.of(one.open()) : cluster.open();
    }

    /** The longest wait for an answer. */
    Duration patience() {
        return patience;
    }

    /** The client that opens further connections. */
    RedisClient client() {
        return client;
    }

    /** A server for messages, which all servers of a cluster pass on to each other. */
    RedisURI anyServer() {
        return cluster == null
                ? one.uri()
                : cluster.all().stream().filter(ServerConnection::isOpen).findAny().orElse(one).uri();
    }

    /**
     * The connection to the server of a key.
     *
     * @throws StoreException.Unavailable if there is none now
     */
    ServerLink link(String key) {
        return cluster == null ? one.link() : cluster.of(key).link();
    }

    /** Keys that begin so, one on each server. */
    List<String> keysOfEach(String prefix) {
        return cluster == null ? List.of(prefix) : cluster.keysOfEach(prefix);
    }

    /** Closes a connection that does not answer. */
    void drop(ServerLink dropped, String reason) {
        if (cluster == null) {
            one.drop(dropped, reason);
        } else {
            cluster.all().forEach(server -> server.drop(dropped, reason));
            cluster.ask();
        }
    }

    /** Looks again for the servers of keys, of which one is elsewhere. */
    void seek() {
        if (cluster != null) {
            cluster.ask();
        }
    }

    @Override
    public void close() {
        if (cluster == null) {
            one.close();
        } else {
            cluster.close();
        }
        client.shutdown(0, RedisOptions.COMMAND.toMillis(), TimeUnit.MILLISECONDS);
        resources.shutdown(0, RedisOptions.COMMAND.toMillis(), TimeUnit.MILLISECONDS).awaitUninterruptibly(
                RedisOptions.COMMAND.toMillis());
    }
}
