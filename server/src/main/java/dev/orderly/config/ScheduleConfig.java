package dev.orderly.config;

import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.Timing;
import org.jspecify.annotations.Nullable;

/**
 * A schedule of the file.
 *
 * @param group present if and only if the queue is FIFO
 */
public record ScheduleConfig(ScheduleName name, Timing timing, QueueName queue, @Nullable String group,
        Payload payload) {}
