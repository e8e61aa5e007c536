package dev.orderly.job.engine;

import dev.orderly.job.QueueOptions;
import dev.orderly.job.store.QueueView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Status of a queue for operators.
 *
 * @param options this node's settings; null for a queue that holds jobs but is not declared here
 * @param handled whether this node has a handler of the queue
 * @param drainedPerSecond jobs per second that this node settled for good, over about the last minute
 * @param drainTime time to drain the waiting jobs at that rate; null without a rate
 */
public record QueueStatus(QueueView view, @Nullable QueueOptions options, boolean handled, double drainedPerSecond,
        @Nullable Duration drainTime) {
    /** The status of a queue that is not declared on this node. */
    static QueueStatus undeclared(QueueView view) {
        return new QueueStatus(view, null, false, 0, null);
    }
}
