package dev.orderly.job.store;

import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.JobProgress;
import dev.orderly.job.JobRun;
import dev.orderly.job.JobState;
import dev.orderly.job.JobTerms;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A read-only copy of a job; its parts are those of {@link JobView}. */
public record JobSnapshot(JobId id, QueueName queue, @Nullable String group, Priority priority, JobState state,
        int attempt,
        int failures, @Nullable Instant dueAt, @Nullable Instant endedAt, @Nullable UserId user,
        Map<String, String> params, @Nullable Payload payload, @Nullable JobFailure failure,
        @Nullable JobProgress progress,
        @Nullable Payload result, @Nullable String reason, @Nullable Instant leasedUntil, @Nullable JobId origin,
        @Nullable JobRun run, @Nullable TraceContext trace, JobTerms terms) implements JobView {
    /** A job that is in everything as its queue says. */
    public JobSnapshot(JobId id, QueueName queue, @Nullable String group, Priority priority, JobState state,
            int attempt, int failures, @Nullable Instant dueAt, @Nullable Instant endedAt, @Nullable UserId user,
            Map<String, String> params, @Nullable Payload payload, @Nullable JobFailure failure,
            @Nullable JobProgress progress, @Nullable Payload result, @Nullable String reason,
            @Nullable Instant leasedUntil, @Nullable JobId origin, @Nullable JobRun run,
            @Nullable TraceContext trace) {
        this(id, queue, group, priority, state, attempt, failures, dueAt, endedAt, user, params, payload, failure,
                progress, result, reason, leasedUntil, origin, run, trace, JobTerms.NONE);
    }

    public JobSnapshot {
        params = Map.copyOf(params);
    }
}
