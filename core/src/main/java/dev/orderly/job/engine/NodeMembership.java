package dev.orderly.job.engine;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.job.CancellationSignal;
import dev.orderly.job.NodeId;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.NodeTimes;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Membership of this node among the nodes that share the store. Sends heartbeats, receives cancellations, and stops the
 * node's handlers when the lease ends, before other nodes may declare the node dead. A watchdog with its own thread
 * does the latter, since a heartbeat under way may not return in time.
 */
final class NodeMembership {
    private static final Logger LOG = LoggerFactory.getLogger(NodeMembership.class);
    private static final Duration WATCH = Duration.ofSeconds(1);

    private final JobStore store;
    private final NodeId node;
    private final Time time;
    private final RunningJobs running;
    private final DeclaredQueues queues;
    private final NodeLease lease;
    final BackgroundLoop beats;
    final BackgroundLoop watchdog;
    private final AtomicBoolean fenced = new AtomicBoolean();

    NodeMembership(JobStore store, EngineOptions options, RunningJobs running, DeclaredQueues queues) {
        this.store = store;
        this.node = options.node();
        this.time = options.time();
        this.running = running;
        this.queues = queues;
        this.lease = running.lease();
        this.beats = new BackgroundLoop("beat", time, this::tick);
        this.watchdog = new BackgroundLoop("watchdog", time, this::watch);
    }

    /**
     * Sends one heartbeat, on the calling thread. The first is sent before the loops start: a node must be registered
     * before it claims.
     */
    Heartbeat beat() {
        NodeLease.Moment sent = lease.moment();
        DeclaredQueues.Pauses pauses = queues.pauses();
        Heartbeat beat = store.beat(node,
                queues.all().stream().filter(DeclaredQueue::isWorkedOn).map(queue -> queue.name)
                        .collect(Collectors.toSet()));
        if (!beat.alive()) {
            lease.lose();
        }
        lease.renew(sent);
        queues.paused(pauses, beat.paused());
        return beat;
    }

    private Duration tick() {
        // after a suspend this loop may wake before the watchdog, and a heartbeat would hide the end of the lease
        fence();
        try {
            Heartbeat beat = beat();
            if (!beat.alive()) {
                LOG.warn("This node was declared dead; its jobs were given back and its handlers are stopped");
                running.interruptAll(CancellationSignal.Reason.LEASE_LOST);
                time.realign();
            }
            if (lease.isSure() && fenced.compareAndSet(true, false)) {
                LOG.info("The store is reached again: this node resumes work");
                queues.wake();
            }
            beat.cancelled().forEach(running::cancel);
            return lease.isOver() ? Duration.ZERO : NodeTimes.BEAT;
        } catch (StoreException e) {
            return NodeTimes.BEAT_AGAIN;
        }
    }

    /** Stops the handlers if the lease is over. */
    private void fence() {
        if (lease.isOver() && fenced.compareAndSet(false, true)) {
            lease.lose();
            running.interruptAll(CancellationSignal.Reason.LEASE_LOST);
            LOG.error("The store was not reached for {} s: this node stops its handlers until the store answers",
                    NodeTimes.LEASE.toSeconds());
        }
    }

    private Duration watch() {
        fence();
        if (lease.mayHaveSlept()) {
            beats.ring();
        }
        Duration left = Duration.ofNanos(lease.end() - time.nanos());
        return left.isPositive() && left.compareTo(WATCH) < 0 ? left : WATCH;
    }
}
