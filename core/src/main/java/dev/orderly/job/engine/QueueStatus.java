package dev.orderly.job.engine;

import dev.orderly.job.QueueOptions;
import dev.orderly.job.store.QueueView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A queue as an operator wants to know it.
 *
 * @param options this node's settings; null for a queue that holds jobs but is not declared here
 * @param handled whether this node works the queue
 * @param drainedPerSecond jobs that ended for good on this node, over about the last minute
 * @param drainTime how long what is waiting takes at that rate; null when nothing drains
 */
public record QueueStatus(QueueView view, @Nullable QueueOptions options, boolean handled, double drainedPerSecond,
        @Nullable Duration drainTime) {
    /** A queue that is not declared on this node. */
    static QueueStatus undeclared(QueueView view) {
        return new QueueStatus(view, null, false, 0, null);
    }
}
