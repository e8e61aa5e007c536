package dev.orderly.job.store;

import dev.orderly.job.QueueName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * State and counts of a queue; counts may lag by a second.
 *
 * @param waiting jobs that can be claimed, or wait for earlier jobs of their group
 * @param delayed jobs of a standard queue that are not due yet; on a FIFO queue, first jobs of groups that wait for
 *     their retry
 * @param leased running jobs that no node holds, see {@link AttemptOutcome.Leased}
 * @param done finished and cancelled jobs that are still kept
 * @param halted groups that stopped at a dead letter
 * @param oldestPushedAt moment at which the oldest waiting job was pushed; null if none is waiting
 */
public record QueueView(QueueName queue, boolean paused, long waiting, long delayed, long running, long leased,
        long dead, long done, long halted, @Nullable Instant oldestPushedAt) {
    /** A queue that holds nothing. */
    public static QueueView empty(QueueName queue) {
        return new QueueView(queue, false, 0, 0, 0, 0, 0, 0, 0, null);
    }
}
