package dev.orderly.config;

import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the file.
 *
 * @param handler address to which jobs are POSTed; null if this node does not work the queue
 */
public record QueueConfig(QueueName name, @Nullable URI handler, QueueOptions options) {}
