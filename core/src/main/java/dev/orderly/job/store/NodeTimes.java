package dev.orderly.job.store;

import java.time.Duration;

/**
 * The durations by which nodes live and are found dead. They depend on each other; a test holds the inequalities that
 * the comments name.
 */
public final class NodeTimes {
    /** Interval of a node's heartbeats. */
    public static final Duration BEAT = Duration.ofSeconds(5);
    /** Interval after a heartbeat without an answer. */
    public static final Duration BEAT_AGAIN = Duration.ofSeconds(1);
    /**
     * Longest wait for the answer to a heartbeat. After a lost answer there is time for a second heartbeat and its
     * answer before the lease ends.
     */
    public static final Duration BEAT_ANSWER = Duration.ofSeconds(5);
    /** A node that had no answer for three heartbeats says so, before its lease ends. */
    public static final Duration BEAT_LATE = BEAT.multipliedBy(3);
    /** A heartbeat that is overdue by the wall clock alone means that the machine slept. More than {@link #BEAT}. */
    public static final Duration SLEPT = Duration.ofSeconds(8);

    /** Longest time that a statement takes on the server. Less than {@link #ANSWER}: the server says why it ended. */
    public static final Duration STATEMENT = Duration.ofSeconds(10);
    /** Longest wait for an answer of the store. Less than {@link #LEASE}: a claim is answered within it, or lost. */
    public static final Duration ANSWER = Duration.ofSeconds(15);

    /**
     * The time from the sending of an answered heartbeat for which the node may run jobs, by its own monotonic clock.
     * Its handlers have the rest until {@link #DEAD_AFTER} to end.
     */
    public static final Duration LEASE = Duration.ofSeconds(20);
    /**
     * The time for which another process has seen the same last heartbeat of a node, by its own monotonic clock, before
     * it declares the node dead by the store's clock. More than {@link #LEASE}, so that no step of the store's clock
     * declares a node dead that may still run jobs; less than {@link #DEAD_AFTER} by the interval of {@link #UPKEEP},
     * so that it delays no death.
     */
    public static final Duration OBSERVED = Duration.ofSeconds(22);
    /**
     * A node without a heartbeat for this time is dead: by the store's clock, or by another process's own, so that a
     * clock that was set back keeps no node alive.
     */
    public static final Duration DEAD_AFTER = Duration.ofSeconds(30);
    /** Interval of claims while jobs wait for a limit, whose slots are also freed by jobs on other nodes. */
    public static final Duration LIMIT_LOOK = Duration.ofMillis(250);
    /** Interval of upkeep, which declares nodes dead. */
    public static final Duration UPKEEP = Duration.ofSeconds(4);
    /** The promise: jobs of a dead node run elsewhere within this time. {@link #DEAD_AFTER} and {@link #UPKEEP} fit. */
    public static final Duration GIVEN_BACK = Duration.ofSeconds(35);

    /**
     * A longer time without any heartbeat means that all nodes were prevented from sending. More than two
     * {@link #BEAT beats}, less than {@link #LEASE}.
     */
    public static final Duration GAP = Duration.ofSeconds(12);
    /** Every live node sends a heartbeat, or a second one, within this time after a gap. */
    public static final Duration GRACE = Duration.ofSeconds(15);
    /**
     * Time after the start of a process in which it ends no lease of a worker elsewhere: reports that waited for this
     * process come first. More than {@link #ANSWER}.
     */
    public static final Duration LEASE_GRACE = Duration.ofSeconds(20);

    /**
     * The wait of a stop for each of its parts. Less than {@link #ANSWER}: a call that hangs does not hold up the stop,
     * and what it claims later is given back by upkeep.
     */
    public static final Duration STOP = Duration.ofSeconds(5);

    private NodeTimes() {}
}
