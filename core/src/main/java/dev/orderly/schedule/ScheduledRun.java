package dev.orderly.schedule;

import dev.orderly.job.CancellationSignal;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import java.time.Instant;

/**
 * One run of a schedule, as its handler sees it.
 *
 * @param cron the timing's text, as it was when the run was pushed
 * @param instant what the run is for: the instant of the timing, or the moment somebody started it by hand
 * @param job progress, result, pushes and all else a job can do
 */
public record ScheduledRun(ScheduleName name, String cron, Instant instant, Job job) {
    /** The param of a job that says its schedule. */
    public static final String SCHEDULE = "schedule";
    /** The param of a job that says the timing's text. */
    public static final String CRON = "cron";
    /** The param of a job that says what instant it is for, as ISO 8601 in UTC. */
    public static final String INSTANT = "instant";

    static ScheduledRun of(ScheduleName name, Job job) {
        String instant = job.params().get(INSTANT);
        return new ScheduledRun(name, job.params().getOrDefault(CRON, ""),
                instant == null ? job.pushedAt() : Instant.parse(instant), job);
    }

    public JobId jobId() {
        return job.id();
    }

    /** Raised when the handler should end. */
    public CancellationSignal signal() {
        return job.signal();
    }
}
