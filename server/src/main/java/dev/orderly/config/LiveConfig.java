package dev.orderly.config;

import dev.orderly.job.QueueName;
import dev.orderly.live.LiveOptions;
import org.jspecify.annotations.Nullable;

/**
 * Live connections.
 *
 * @param queue what users send becomes jobs of it; on a FIFO queue each user is a group. Null if nobody takes messages
 */
public record LiveConfig(LiveOptions options, @Nullable QueueName queue) {
    /** Listening only. */
    static final LiveConfig DEFAULT = new LiveConfig(LiveOptions.DEFAULT, null);
}
