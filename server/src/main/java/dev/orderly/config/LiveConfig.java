package dev.orderly.config;

import dev.orderly.job.QueueName;
import dev.orderly.live.LiveOptions;
import org.jspecify.annotations.Nullable;

/**
 * Live connections.
 *
 * @param queue queue for users' messages; on a FIFO queue each user is a group. Null if messages have no receiver
 */
public record LiveConfig(LiveOptions options, @Nullable QueueName queue) {
    /** Connections that only receive. */
    public static final LiveConfig DEFAULT = new LiveConfig(LiveOptions.DEFAULT, null);
}
