package dev.orderly.config;

import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * A queue of the file.
 *
 * @param handler where its jobs are POSTed; null if nothing works it here
 */
public record QueueConfig(QueueName name, @Nullable URI handler, QueueOptions options) {}
