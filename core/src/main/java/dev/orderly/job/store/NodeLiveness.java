package dev.orderly.job.store;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who of the nodes that beat is alive, judged by one monotonic clock. The rule of every store: a node that has not beaten
 * for {@link #DEAD_AFTER} is dead. But when nobody has beaten for {@link #GAP}, the machine was suspended or the clock
 * was set, and the living need {@link #GRACE} to be heard of again before anybody is judged. Not thread-safe.
 */
public final class NodeLiveness {
    /** A node that is not heard of for so long is dead. */
    public static final Duration DEAD_AFTER = Duration.ofSeconds(30);
    /** Some node beats more often than this, or all were kept from it. */
    public static final Duration GAP = Duration.ofSeconds(12);
    /** From the end of a gap every living node beats within this time. */
    public static final Duration GRACE = Duration.ofSeconds(15);

    private final Time time;
    private final Map<NodeId, Long> beats = new HashMap<>();
    private long newest;
    private long judgedFrom;

    public NodeLiveness(Time time) {
        this.time = time;
        this.newest = time.nanos();
        this.judgedFrom = newest;
    }

    /** A node lives. */
    public void beat(NodeId node) {
        long now = time.nanos();
        if (!beats.isEmpty() && now - newest > GAP.toNanos()) {
            judgedFrom = now + GRACE.toNanos();
        }
        newest = now;
        beats.put(node, now);
    }

    /** Whether the node has beaten, and was not forgotten since. */
    public boolean isKnown(NodeId node) {
        return beats.containsKey(node);
    }

    /** Forgets a node that left or is dead. */
    public void forget(NodeId node) {
        beats.remove(node);
    }

    /** Nodes not heard of for so long; none while nobody can be judged. */
    public List<NodeId> silent(Duration deadAfter) {
        long now = time.nanos();
        if (now - newest > GAP.toNanos() || now - judgedFrom < 0) {
            return List.of();
        }
        return beats.entrySet().stream().filter(each -> now - each.getValue() > deadAfter.toNanos())
                .map(Map.Entry::getKey).toList();
    }
}
