package dev.orderly.job.store;

import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import java.time.Duration;
import java.util.Map;

/**
 * Request for one round of upkeep.
 *
 * @param deadAfter nodes without a heartbeat for longer are dead: their jobs are given back, and a crash is counted for
 *     the jobs that may have run
 * @param crashLimit number of crashes at which a job becomes a dead letter instead, if it ran alone at the last crash
 * @param onDead effect of a dead letter on its group, from now on, by FIFO queue; a queue that is not named stays as it
 *     is
 * @param keep retention of ended jobs
 * @param limit largest number of jobs taken from dead nodes, and of jobs pruned
 */
public record UpkeepRequest(Duration deadAfter, int crashLimit, Map<QueueName, OnDead> onDead, Retention keep,
        int limit) {
    public UpkeepRequest {
        onDead = Map.copyOf(onDead);
    }

    /**
     * Retention of ended jobs.
     *
     * @param done time for which done and cancelled jobs are kept
     * @param doneMax approximate largest number of done and cancelled jobs in the store; the oldest are pruned first
     * @param dead time for which dead letters are kept; a dead letter that halts its group is kept until it is redriven
     *     or cancelled
     */
    public record Retention(Duration done, long doneMax, Duration dead) {
        /** 24 hours and 100,000 done jobs, 14 days for dead letters. */
        public static final Retention DEFAULT = new Retention(Duration.ofHours(24), 100_000, Duration.ofDays(14));
    }
}
