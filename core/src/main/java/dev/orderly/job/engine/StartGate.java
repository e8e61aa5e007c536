package dev.orderly.job.engine;

import dev.orderly.job.store.AttemptId;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The only decision whether a job that this node holds may start: by the node's lease, its stop, its drain, the pause,
 * the handler and the limit of the job's queue, and the cancellation and the expiry of the job. {@link #enter} decides
 * last, after the payload was read and before the handler is called. Whatever comes afterwards reaches the attempt by
 * its signal. Thread-safe.
 */
final class StartGate {
    private final NodeLease lease;
    private final Time time;
    private final ConcurrentMap<AttemptId, Held> attempts = new ConcurrentHashMap<>();
    private volatile boolean stopping;
    private volatile boolean draining;

    /** The state of an attempt that this node holds. */
    private enum Held {
        /** Neither begun nor cancelled. */
        WAITS, BEGAN, CANCELLED
    }

    /** The decision about an attempt. */
    enum Verdict {
        START,
        /** This node may not start the job now; another node, or this node later, may. */
        GIVE_BACK,
        /** The job was cancelled before it began. */
        CANCEL,
        /** No attempt of the job may start any more. */
        EXPIRED
    }

    StartGate(Time time) {
        this.time = time;
        this.lease = new NodeLease(time);
    }

    NodeLease lease() {
        return lease;
    }

    /** From now on nothing starts on this node. */
    void stop() {
        stopping = true;
    }

    boolean isStopping() {
        return stopping;
    }

    /** Nothing starts on this node while an operator wants it; jobs that run go on. */
    void drain(boolean on) {
        draining = on;
    }

    boolean isDraining() {
        return draining;
    }

    /** Whether jobs that are claimed now could start, unless their queue is paused. */
    boolean isOpen() {
        return !stopping && !draining && lease.isSure();
    }

    /** Whether jobs of a queue that are claimed now could start. */
    boolean isOpen(DeclaredQueue queue) {
        return isOpen() && !queue.isPaused() && queue.handler() != null;
    }

    /** Notes an attempt that this node holds from now on. */
    void held(AttemptId attempt) {
        attempts.put(attempt, Held.WAITS);
    }

    /** Forgets an attempt that this node does not hold any more. */
    void left(AttemptId attempt) {
        attempts.remove(attempt);
    }

    /**
     * Decides about an attempt. After {@link Verdict#START} it has begun.
     *
     * @param generation generation of the lease under which the job was claimed
     * @param claimedSince moment after which the job was claimed
     */
    Verdict enter(DeclaredQueue queue, ClaimedJob job, long generation, NodeLease.Moment claimedSince) {
        if (stopping || draining || queue.isPaused() || queue.handler() == null || !lease.covers(generation)
                || isLate(queue, claimedSince)) {
            return Verdict.GIVE_BACK;
        }
        AttemptId attempt = job.attempt();
        if (job.terms().isExpired(time.now())) {
            return Verdict.EXPIRED;
        }
        if (attempts.replace(attempt, Held.WAITS, Held.BEGAN)) {
            return Verdict.START;
        }
        return attempts.get(attempt) == Held.CANCELLED ? Verdict.CANCEL : Verdict.GIVE_BACK;
    }

    /** Whether a job would start so late after its claim that the rate of its limit might be exceeded. */
    boolean isLate(DeclaredQueue queue, NodeLease.Moment claimedSince) {
        Duration within = queue.startWithin();
        return within != null && lease.since(claimedSince).compareTo(within) > 0;
    }

    /** Keeps an attempt from beginning, if it has not begun; returns whether it never will. */
    boolean cancel(AttemptId attempt) {
        return attempts.replace(attempt, Held.WAITS, Held.CANCELLED) || attempts.get(attempt) == Held.CANCELLED;
    }
}
