package dev.orderly.store.postgres.sql;

import dev.orderly.job.NodeId;
import dev.orderly.job.store.NodeLiveness;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The last heartbeats of live nodes as this process has seen them, and since when by its own monotonic clock: a time
 * that a step of the server's clock does not change. Thread-safe.
 */
final class SeenBeats {
    private final ReentrantLock lock = new ReentrantLock();
    private final NodeLiveness liveness;
    private final Map<NodeId, Long> beats = new HashMap<>();

    /**
     * The last heartbeat of a live node.
     *
     * @param at its stamp by the server's clock
     */
    record Beat(NodeId node, long at) {}

    SeenBeats(Time time) {
        liveness = new NodeLiveness(time);
    }

    /** @param live the last heartbeats of all live nodes */
    void see(List<Beat> live) {
        lock.lock();
        try {
            Set<NodeId> gone = new HashSet<>(beats.keySet());
            for (Beat beat : live) {
                gone.remove(beat.node);
                Long before = beats.put(beat.node, beat.at);
                if (before == null || before != beat.at) {
                    liveness.beat(beat.node);
                }
            }
            gone.forEach(beats::remove);
            gone.forEach(liveness::forget);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Those of the seen heartbeats whose node is dead.
     *
     * @param moment the present by the server's clock
     */
    List<Beat> dead(List<Beat> live, Duration deadAfter, long moment) {
        lock.lock();
        try {
            Duration observed = NodeTimes.OBSERVED.compareTo(deadAfter) < 0 ? NodeTimes.OBSERVED : deadAfter;
            Set<NodeId> overdue = Set.copyOf(liveness.silent(observed));
            Set<NodeId> anyway = Set.copyOf(liveness.silent(deadAfter));
            return live.stream().filter(beat -> anyway.contains(beat.node)
                    || (overdue.contains(beat.node) && beat.at < moment - deadAfter.toMillis())).toList();
        } finally {
            lock.unlock();
        }
    }
}
