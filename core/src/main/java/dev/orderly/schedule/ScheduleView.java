package dev.orderly.schedule;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A schedule as it stands, for pages and APIs.
 *
 * @param queue where its jobs go
 * @param group of its jobs; null on a standard queue
 * @param next the instant it waits for; null if none comes
 * @param last the last instant that pushed a job; null if none did
 * @param lastJob of an instant or by hand; null if there was none
 * @param lastState how the last job stands; null if there was none or it is no longer kept
 * @param lastSkipped the last instant that found a run under way; null if none did
 */
public record ScheduleView(ScheduleName name, Timing timing, QueueName queue, @Nullable String group,
        @Nullable Instant next, @Nullable Instant last, @Nullable JobId lastJob, @Nullable JobState lastState,
        @Nullable Instant lastSkipped) {}
