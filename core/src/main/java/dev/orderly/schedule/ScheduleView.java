package dev.orderly.schedule;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a schedule, for pages and APIs.
 *
 * @param queue of its jobs
 * @param group of its jobs; null on a standard queue
 * @param next the next instant; null if none comes
 * @param last the last instant that pushed a job; null if none did
 * @param lastJob of an instant or by hand; null if there was none
 * @param lastState the state of the last job; null if there was none or it is no longer kept
 * @param lastSkipped the last instant that was skipped because a run was under way; null if none was
 */
public record ScheduleView(ScheduleName name, Timing timing, QueueName queue, @Nullable String group,
        @Nullable Instant next, @Nullable Instant last, @Nullable JobId lastJob, @Nullable JobState lastState,
        @Nullable Instant lastSkipped) {}
