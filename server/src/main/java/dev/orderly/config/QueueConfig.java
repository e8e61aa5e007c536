package dev.orderly.config;

import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the file.
 *
 * @param handler address to which jobs are POSTed, or {@link #PULL}; null if this node does not work the queue
 */
public record QueueConfig(QueueName name, @Nullable URI handler, QueueOptions options) {
    /** The handler of a queue whose jobs workers elsewhere pull. */
    public static final URI PULL = URI.create("pull");

    public boolean isPulled() {
        return PULL.equals(handler);
    }
}
