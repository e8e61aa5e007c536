package dev.orderly.live;

import dev.orderly.flow.LogLimit;
import dev.orderly.store.Bus;
import dev.orderly.time.Time;
import dev.orderly.user.UserId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Delivers messages to users, on whichever nodes they are connected. Thread-safe. */
final class Delivery {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);

    private final ConnectionRegistry registry;
    private final LiveNode node;
    private final LogLimit dropped;

    Delivery(ConnectionRegistry registry, LiveNode node, Time time) {
        this.registry = registry;
        this.dropped = new LogLimit(LOG, time);
        this.node = node;
        node.bus().subscribe(Bus.Topic.LIVE, this::received);
    }

    /** Never blocks. */
    void send(Set<UserId> receivers, Message message) {
        registry.deliver(receivers, message);
        if (!node.bus().equals(Bus.ALONE)) {
            node.bus().publish(Bus.Topic.LIVE, new Envelope(receivers, message).write());
        }
    }

    /** The user's connections on this node only. */
    List<OnlineUser> page(@Nullable UserId after, int limit) {
        return registry.page(after, limit);
    }

    List<OpenConnection> of(UserId user) {
        return registry.of(user);
    }

    int connections(UserId user) {
        return registry.connections(user);
    }

    boolean isOnline(UserId user) {
        return connections(user) > 0 || !node.presence().elsewhere(node.id(), Set.of(user)).isEmpty();
    }

    private void received(byte[] message) {
        try {
            Envelope parcel = Envelope.read(message);
            registry.deliver(parcel.receivers(), parcel.message());
        } catch (IllegalArgumentException e) {
            dropped.warn("A live message of another node is dropped; run one version on all nodes: {}", e.getMessage());
        }
    }
}
