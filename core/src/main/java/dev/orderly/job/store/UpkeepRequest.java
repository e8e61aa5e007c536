package dev.orderly.job.store;

import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import java.time.Duration;
import java.util.Map;

/**
 * One round of upkeep.
 *
 * @param deadAfter nodes that have not beaten for longer are dead: their jobs are given back, and a crash is counted
 *     for those that may have run
 * @param crashLimit a job with this many crashes becomes a dead letter instead, if it was alone at the last
 * @param onDead what FIFO queues do at a dead letter from now on; a queue that is not named stays as it is
 * @param keep what finished jobs are kept
 * @param limit at most this many jobs are taken from dead nodes, and at most this many pruned
 */
public record UpkeepRequest(Duration deadAfter, int crashLimit, Map<QueueName, OnDead> onDead, Retention keep,
        int limit) {
    public UpkeepRequest {
        onDead = Map.copyOf(onDead);
    }

    /**
     * How long ended jobs stay to be looked at.
     *
     * @param done for done and cancelled jobs
     * @param doneMax at most about this many of them in the store, the oldest go first
     * @param dead for dead letters; one that halts its group is kept until it is redriven or cancelled
     */
    public record Retention(Duration done, long doneMax, Duration dead) {
        /** 24 hours and 100,000 for finished jobs, 14 days for dead letters. */
        public static final Retention DEFAULT = new Retention(Duration.ofHours(24), 100_000, Duration.ofDays(14));
    }
}
