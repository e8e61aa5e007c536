package dev.orderly.job.engine;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.job.CancellationSignal;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.Heartbeat;
import dev.orderly.job.store.NodeId;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's place among those that share the store: it beats, hears of cancelled jobs, and stops its own work when it
 * could not beat for so long that others may soon take it for dead. A watchdog with a thread of its own does that, since
 * a beat under way may not return in time.
 */
final class NodeMembership {
    private static final Logger LOG = LoggerFactory.getLogger(NodeMembership.class);
    private static final Duration BEAT = Duration.ofSeconds(5);
    private static final Duration BEAT_AGAIN = Duration.ofSeconds(1);
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

    /** One beat, on the calling thread. The first comes before the loops: a node is known before it claims. */
    Heartbeat beat() {
        NodeLease.Moment asked = lease.moment();
        Heartbeat beat = store.beat(node);
        if (!beat.alive()) {
            lease.lose();
        }
        lease.renew(asked);
        return beat;
    }

    private Duration tick() {
        fence(); // after a sleep this loop may wake before the watchdog, and a beat would hide that the lease was over
        try {
            Heartbeat beat = beat();
            if (!beat.alive()) {
                LOG.warn("This node was taken for dead; what it ran was given to others and is stopped here");
                running.interruptAll(CancellationSignal.Reason.LEASE_LOST);
                time.realign();
            }
            if (lease.isSure() && fenced.compareAndSet(true, false)) {
                LOG.info("The store is reached again: this node works on");
                queues.wake();
            }
            running.interruptAll(beat.cancelled(), CancellationSignal.Reason.CANCELLED);
            return lease.isOver() ? Duration.ZERO : BEAT;
        } catch (StoreException e) {
            return BEAT_AGAIN;
        }
    }

    /** Stops the handlers if the lease is over. */
    private void fence() {
        if (lease.isOver() && fenced.compareAndSet(false, true)) {
            lease.lose();
            running.interruptAll(CancellationSignal.Reason.LEASE_LOST);
            LOG.error("The store was not reached for {} s: this node stops its handlers until it is",
                    NodeLease.LENGTH.toSeconds());
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
