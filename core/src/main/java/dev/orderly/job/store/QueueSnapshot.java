package dev.orderly.job.store;

import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** State and counts of a queue; its parts are those of {@link QueueView}. */
public record QueueSnapshot(QueueName queue, boolean paused, long waiting, long delayed, long running, long leased,
        long dead, long done, long halted, @Nullable Instant oldestPushedAt) implements QueueView {
    /** A queue that holds nothing. */
    public static QueueView empty(QueueName queue) {
        return new QueueSnapshot(queue, false, 0, 0, 0, 0, 0, 0, 0, null);
    }
}
