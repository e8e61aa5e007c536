package dev.orderly.store.redis;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.models.partitions.ClusterPartitionParser;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The primaries of a cluster, a connection to each. A thread asks once a second, and after an answer that a key is
 * elsewhere, which of them has which slots.
 */
final class ClusterServers {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterServers.class);
    private static final Duration CHECK = Duration.ofSeconds(1);

    private final List<RedisURI> seeds;
    private final RedisErrors errors;
    private final Function<RedisURI, ServerConnection> connecting;
    private final BackgroundLoop loop;
    private volatile Layout layout = new Layout(Map.of(), new ServerConnection[SlotHash.SLOT_COUNT]);
    private volatile boolean closed;

    /** @param slots null for a slot without a server */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Layout(Map<String, ServerConnection> servers, ServerConnection[] slots) {}

    /** @param connecting a connection that is not open */
    ClusterServers(List<RedisURI> seeds, RedisErrors errors, Function<RedisURI, ServerConnection> connecting,
            Time time) {
        this.seeds = List.copyOf(seeds);
        this.errors = errors;
        this.connecting = connecting;
        loop = new BackgroundLoop("redis-cluster", time, this::step);
    }

    /** @throws StoreException.Unavailable if no server of the cluster is reached, or one with slots is not */
    Collection<ServerLink> open() {
        StoreException failure = null;
        for (RedisURI seed : seeds) {
            ServerConnection first = connecting.apply(seed);
            try {
                layout = read(first.open(), seed);
                loop.start();
                return layout.servers.values().stream().map(ServerConnection::link).toList();
            } catch (StoreException e) {
                failure = e;
            } catch (RedisException e) {
                failure = errors.unreached(e);
            } finally {
                first.close();
            }
        }
        throw failure == null ? errors.away("the address names no server") : failure;
    }

    /** @throws StoreException.Unavailable if no server has the slot of the key */
    ServerConnection of(String key) {
        ServerConnection server = layout.slots[SlotHash.getSlot(key)];
        if (server == null) {
            throw errors.away("no server of the cluster has the keys of this room");
        }
        return server;
    }

    /** Keys that begin so, one on each primary, and one for slots that no server has. */
    List<String> keysOfEach(String prefix) {
        ServerConnection[] slots = layout.slots;
        Set<@Nullable ServerConnection> left = new HashSet<>(Arrays.asList(slots));
        List<String> keys = new ArrayList<>();
        for (int n = 0; !left.isEmpty(); n++) {
            String key = prefix + "{" + n + "}";
            if (left.remove(slots[SlotHash.getSlot(key)])) {
                keys.add(key);
            }
        }
        return keys;
    }

    Collection<ServerConnection> all() {
        return layout.servers.values();
    }

    /** Asks again soon, since a key is elsewhere. */
    void ask() {
        loop.ring();
    }

    private Duration step() {
        if (closed) {
            return CHECK;
        }
        for (ServerConnection server : layout.servers.values()) {
            if (server.isOpen() && isRead(server)) {
                return CHECK;
            }
        }
        for (RedisURI seed : seeds) { // all servers were replaced meanwhile
            ServerConnection first = connecting.apply(seed);
            try {
                first.open();
                if (isRead(first)) {
                    return CHECK;
                }
            } catch (StoreException e) {
                LOG.debug("A server of the cluster does not answer", e);
            } finally {
                first.close();
            }
        }
        return CHECK;
    }

    private boolean isRead(ServerConnection from) {
        try {
            Layout before = layout;
            Layout now = read(from.link(), from.uri());
            layout = now;
            before.servers.forEach((name, server) -> {
                if (!now.servers.containsKey(name)) {
                    server.close();
                }
            });
            return true;
        } catch (StoreException | RedisException e) {
            LOG.debug("A server of the cluster does not answer", e);
            return false;
        }
    }

    /** The layout as a server knows it. New servers are connected first; those that are not reached are left out. */
    private Layout read(ServerLink link, RedisURI asked) {
        Map<String, ServerConnection> servers = new HashMap<>();
        ServerConnection[] slots = new ServerConnection[SlotHash.SLOT_COUNT];
        List<StoreException> failures = new ArrayList<>();
        for (RedisClusterNode node : ClusterPartitionParser.parse(link.connection().sync().clusterNodes())) {
            if (!node.is(NodeFlag.UPSTREAM) || node.is(NodeFlag.FAIL) || node.getSlots().isEmpty()) {
                continue;
            }
            try {
                ServerConnection server = server(node.getUri(), asked);
                servers.put(name(server.uri()), server);
                node.forEachSlot(slot -> slots[slot] = server);
            } catch (StoreException e) {
                failures.add(e);
            }
        }
        if (servers.isEmpty()) {
            throw failures.isEmpty()
                    ? errors.away("this server is in no cluster with slots: use its address with redis://")
                    : failures.getFirst();
        }
        return new Layout(servers, slots);
    }

    private ServerConnection server(RedisURI address, RedisURI asked) {
        RedisURI uri = RedisURI.builder(asked).build();
        if (!address.getHost().isBlank()) { // a server may not know its own
            uri.setHost(address.getHost());
        }
        uri.setPort(address.getPort());
        ServerConnection known = layout.servers.get(name(uri));
        if (known != null) {
            return known;
        }
        ServerConnection fresh = connecting.apply(uri);
        fresh.open();
        return fresh;
    }

    private static String name(RedisURI uri) {
        return uri.getHost() + ":" + uri.getPort();
    }

    void close() {
        closed = true;
        loop.stop(RedisOptions.CONNECT);
        all().forEach(ServerConnection::close);
    }
}
