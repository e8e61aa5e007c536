package dev.orderly.schedule;

import dev.orderly.job.CancellationSignal;
import dev.orderly.job.Job;
import dev.orderly.job.JobId;
import java.time.Instant;
import java.util.Objects;

/**
 * One run of a schedule, as its handler sees it.
 *
 * @param cron the timing's text when the run was pushed
 * @param instant the instant of the timing, or the moment at which the run was started by hand
 * @param job gives access to progress, result and pushes
 */
public record ScheduledRun(ScheduleName name, String cron, Instant instant, Job<?> job) {
    public ScheduledRun {
        Objects.requireNonNull(cron, "cron");
        Objects.requireNonNull(instant, "instant");
        Objects.requireNonNull(job, "job");
        Objects.requireNonNull(name, "name");
    }

    /** The job param that holds the schedule's name. */
    public static final String SCHEDULE = "schedule";
    /** The job param that holds the timing's text. */
    public static final String CRON = "cron";
    /** The job param that holds the run's instant, as ISO 8601 in UTC. */
    public static final String INSTANT = "instant";

    static ScheduledRun of(ScheduleName name, Job<?> job) {
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
