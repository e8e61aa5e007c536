package dev.orderly.job.store;

import dev.orderly.job.NodeId;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Failure detector of nodes by their heartbeats and one monotonic clock. The rule of all stores: a node without a
 * heartbeat for {@link NodeTimes#DEAD_AFTER} is dead. A time of {@link NodeTimes#GAP} without any heartbeat means that
 * the machine was suspended or the clock was set: after it, no node is declared dead for {@link NodeTimes#GRACE}, in
 * which live nodes report again. Not thread-safe.
 */
public final class NodeLiveness {
    private final Time time;
    private final Map<NodeId, Long> beats = new HashMap<>();
    private long newest;
    private long graceEnd;

    public NodeLiveness(Time time) {
        this.time = time;
        this.newest = time.nanos();
        this.graceEnd = newest;
    }

    /** Records a heartbeat. */
    public void beat(NodeId node) {
        long now = time.nanos();
        if (!beats.isEmpty() && now - newest > NodeTimes.GAP.toNanos()) {
            graceEnd = now + NodeTimes.GRACE.toNanos();
        }
        newest = now;
        beats.put(node, now);
    }

    /** Whether the node has sent a heartbeat, and was not forgotten since. */
    public boolean isKnown(NodeId node) {
        return beats.containsKey(node);
    }

    /** Forgets a node that left or is dead. */
    public void forget(NodeId node) {
        beats.remove(node);
    }

    /** Whether silence may be judged now: not during and after a gap. Leases are judged by the same rule. */
    public boolean mayJudge() {
        long now = time.nanos();
        return now - newest <= NodeTimes.GAP.toNanos() && now - graceEnd >= 0;
    }

    /** Nodes without a heartbeat for the given time; none during and after a gap. */
    public List<NodeId> silent(Duration deadAfter) {
        if (!mayJudge()) {
            return List.of();
        }
        long now = time.nanos();
        return beats.entrySet().stream().filter(each -> now - each.getValue() > deadAfter.toNanos())
                .map(Map.Entry::getKey).toList();
    }
}
