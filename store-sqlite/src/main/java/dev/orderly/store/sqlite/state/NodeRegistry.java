package dev.orderly.store.sqlite.state;

import dev.orderly.job.store.NodeId;
import dev.orderly.job.store.NodeLiveness;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The nodes of this process by their last beat. */
public final class NodeRegistry {
    /** How long a dead node may come back and hear that it was declared dead. */
    private static final Duration REMEMBERED = Duration.ofDays(1);

    private final Time time;
    private final NodeLiveness liveness;
    private final Map<NodeId, Death> dead = new HashMap<>();

    /**
     * A node that was declared dead.
     *
     * @param suspects jobs for which that was counted as a crash
     */
    record Death(long forgetAt, Set<Long> suspects) {}

    NodeRegistry(Time time) {
        this.time = time;
        this.liveness = new NodeLiveness(time);
    }

    /** Notes a beat; returns whether the node was not declared dead since its last one. */
    public boolean beat(NodeId node) {
        liveness.beat(node);
        return dead.remove(node) == null;
    }

    public boolean isAlive(NodeId node) {
        return liveness.isKnown(node);
    }

    /** For which jobs the death of a node was counted as a crash; none if it lives. */
    public Set<Long> suspects(NodeId node) {
        Death death = dead.get(node);
        return death == null ? Set.of() : Set.copyOf(death.suspects);
    }

    /** The death of a node was counted as a crash of a job. */
    public void crashed(NodeId node, long seq) {
        Death death = dead.get(node);
        if (death != null) {
            death.suspects.add(seq);
        }
    }

    /** Declares nodes dead; returns them. */
    public List<NodeId> declareDead(Duration deadAfter) {
        List<NodeId> silent = liveness.silent(deadAfter);
        for (NodeId node : silent) {
            liveness.forget(node);
            dead.put(node, new Death(time.deadline(REMEMBERED), new HashSet<>()));
        }
        dead.values().removeIf(death -> time.reached(death.forgetAt));
        return silent;
    }
}
