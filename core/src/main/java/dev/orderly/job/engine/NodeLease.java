package dev.orderly.job.engine;

import dev.orderly.job.store.NodeTimes;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A node's right to run jobs. Each answered heartbeat renews the lease, counted from the moment at which the heartbeat
 * was sent. Each loss begins a new generation: jobs claimed in an earlier generation may belong to other nodes.
 * Thread-safe.
 *
 * <p>The monotonic clock of some systems stops while the machine is suspended, so the start of a handler also checks
 * the wall clock. A wall clock that was set ahead makes the lease unsure until the next heartbeat.
 */
final class NodeLease {
    private final Time time;
    private final AtomicLong generation = new AtomicLong();
    private volatile Moment renewed;

    /** A moment by both clocks. */
    record Moment(long nanos, Instant wall) {}

    NodeLease(Time time) {
        this.time = time;
        this.renewed = moment();
    }

    Moment moment() {
        return new Moment(time.nanos(), time.wall());
    }

    /** The time since a moment, by the clock that says more: one of them may have stood still, or was set back. */
    Duration since(Moment before) {
        Moment now = moment();
        Duration byWall = Duration.between(before.wall, now.wall);
        Duration byNanos = Duration.ofNanos(now.nanos - before.nanos);
        return byWall.compareTo(byNanos) > 0 ? byWall : byNanos;
    }

    /** Renews the lease by an answered heartbeat that was sent at this moment. */
    void renew(Moment sent) {
        renewed = sent;
    }

    /** Begins a new generation: jobs held by this node, and jobs of a claim under way, are lost. */
    void lose() {
        generation.incrementAndGet();
    }

    long generation() {
        return generation.get();
    }

    /** Time since the last answered heartbeat was sent, by the monotonic clock. */
    Duration age() {
        return Duration.ofNanos(time.nanos() - renewed.nanos);
    }

    /** Whether the lease has run out by the monotonic clock: handlers must end. */
    boolean isOver() {
        return time.nanos() - renewed.nanos >= NodeTimes.LEASE.toNanos();
    }

    /** The end of the lease, by the monotonic clock. */
    long end() {
        return renewed.nanos + NodeTimes.LEASE.toNanos();
    }

    /** Whether the lease is valid by both clocks. */
    boolean isSure() {
        return !isOver() && renewed.wall.plus(NodeTimes.LEASE).isAfter(time.wall());
    }

    /** Whether a job that was claimed in this generation may start. */
    boolean covers(long claimedIn) {
        return claimedIn == generation.get() && isSure();
    }

    /**
     * Whether the machine may have been suspended since the last heartbeat: only by the wall clock a heartbeat is
     * overdue.
     */
    boolean mayHaveSlept() {
        Moment last = renewed;
        Duration byWall = Duration.between(last.wall, time.wall());
        return byWall.compareTo(NodeTimes.SLEPT) > 0
                && byWall.minusNanos(time.nanos() - last.nanos).compareTo(NodeTimes.SLEPT.dividedBy(2)) > 0;
    }
}
