package dev.orderly.store.sqlite;

import dev.orderly.job.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes of this process by their last beat. */
final class Nodes {
    /** How long a dead node may come back and hear that it was declared dead. */
    private static final Duration REMEMBERED = Duration.ofDays(1);

    private final Map<NodeId, Instant> alive = new HashMap<>();
    private final Map<NodeId, Instant> dead = new HashMap<>();

    /** Notes a beat; returns whether the node was not declared dead since its last one. */
    boolean beat(NodeId node, Instant now) {
        alive.put(node, now);
        return dead.remove(node) == null;
    }

    boolean isAlive(NodeId node) {
        return alive.containsKey(node);
    }

    /** Declares nodes dead; returns them. */
    List<NodeId> declareDead(Instant before) {
        List<NodeId> silent = alive.entrySet().stream().filter(node -> node.getValue().isBefore(before))
                .map(Map.Entry::getKey).toList();
        silent.forEach(node -> dead.put(node, before));
        alive.keySet().removeAll(silent);
        dead.values().removeIf(since -> since.isBefore(before.minus(REMEMBERED)));
        return silent;
    }
}
