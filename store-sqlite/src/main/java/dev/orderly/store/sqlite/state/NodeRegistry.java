package dev.orderly.store.sqlite.state;

import dev.orderly.job.NodeId;
import dev.orderly.job.QueueName;
import dev.orderly.job.store.NodeLiveness;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Collectors;

/** The nodes of this process, with their heartbeats. */
public final class NodeRegistry {
    /** Time for which a dead node is remembered, so that its next heartbeat reports its death. */
    private static final Duration REMEMBERED = Duration.ofDays(1);

    private final Time time;
    private final NodeLiveness liveness;
    private final Map<NodeId, Death> dead = new HashMap<>();
    /** The queues that live nodes work on; views read it. */
    private final ConcurrentMap<NodeId, Set<QueueName>> works = new ConcurrentHashMap<>();

    /**
     * A node that was declared dead.
     *
     * @param suspects jobs for which its death was counted as a crash, and whether each was alone
     */
    record Death(long forgetAt, Map<Long, Boolean> suspects) {}

    NodeRegistry(Time time) {
        this.time = time;
        this.liveness = new NodeLiveness(time);
    }

    /** Records a heartbeat; returns false if the node was declared dead since its last heartbeat. */
    public boolean beat(NodeId node, Set<QueueName> queues) {
        liveness.beat(node);
        works.put(node, queues);
        return dead.remove(node) == null;
    }

    /** The live nodes that work on a queue. Thread-safe. */
    public Set<NodeId> workers(QueueName queue) {
        return works.entrySet().stream().filter(each -> each.getValue().contains(queue)).map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Whether leases and silence may be judged now. */
    public boolean mayJudge() {
        return liveness.mayJudge();
    }

    public boolean isAlive(NodeId node) {
        return liveness.isKnown(node);
    }

    /** As {@link #isAlive}, for any thread. */
    public boolean isKnown(NodeId node) {
        return works.containsKey(node);
    }

    /** Jobs for which the death of the node was counted as a crash, and whether each was alone; none if it is alive. */
    public Map<Long, Boolean> suspects(NodeId node) {
        Death death = dead.get(node);
        return death == null ? Map.of() : Map.copyOf(death.suspects);
    }

    /** Records that the death of a node was counted as a crash of a job. */
    public void crashed(NodeId node, long seq, boolean alone) {
        Death death = dead.get(node);
        if (death != null) {
            death.suspects.put(seq, alone);
        }
    }

    /** Ends the life of a node that has left. */
    public void left(NodeId node) {
        if (liveness.isKnown(node)) {
            ended(node);
        }
    }

    private void ended(NodeId node) {
        liveness.forget(node);
        works.remove(node);
        dead.put(node, new Death(time.deadline(REMEMBERED), new HashMap<>()));
    }

    /** Declares silent nodes dead and returns them. */
    public List<NodeId> declareDead(Duration deadAfter) {
        List<NodeId> silent = liveness.silent(deadAfter);
        silent.forEach(this::ended);
        dead.values().removeIf(death -> time.reached(death.forgetAt));
        return silent;
    }
}
