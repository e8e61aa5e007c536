package dev.orderly.job.engine;

import dev.orderly.job.QueueOptions;
import dev.orderly.job.QueueView;
import dev.orderly.job.settings.QueueOverride;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The status as this node sees it. */
record DeclaredStatus(QueueView view, @Nullable QueueOptions options, @Nullable QueueOptions configured,
        QueueOverride override, boolean handled, double drainedPerSecond,
        @Nullable Duration drainTime) implements QueueStatus {
    /** The status of a queue that is not declared on this node. */
    static DeclaredStatus undeclared(QueueView view, QueueOverride override) {
        return new DeclaredStatus(view, null, null, override, false, 0, null);
    }
}
