package dev.orderly.job.store;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A read-only copy of a job, out of date at once.
 *
 * @param attempt number of claims so far
 * @param failures number of failed attempts so far, counted against the retry policy
 * @param dueAt moment at which a delayed job becomes due; null in other states
 * @param endedAt moment at which the job became done, dead or cancelled; null before
 * @param payload null once done or cancelled
 * @param failure cause of the last failed attempt; null if none
 * @param result result that the handler set; null if none
 * @param reason reason of the cancellation; null in other states
 * @param origin dead letter whose content was pushed again as this job; null for none
 * @param run claim of the newest attempt, of a running job, and of a done job as far as it is kept; else null
 * @param trace trace that the push belonged to; null for none
 * @param leasedUntil end of the lease of a running job that no node holds, by the store's clock; null otherwise
 */
public record JobView(JobId id, QueueName queue, @Nullable String group, Priority priority, JobState state, int attempt,
        int failures, @Nullable Instant dueAt, @Nullable Instant endedAt, @Nullable UserId user,
        Map<String, String> params, @Nullable Payload payload, @Nullable JobFailure failure,
        @Nullable JobProgress progress,
        @Nullable Payload result, @Nullable String reason, @Nullable Instant leasedUntil, @Nullable JobId origin,
        @Nullable JobRun run, @Nullable TraceContext trace) {
    public JobView {
        params = Map.copyOf(params);
    }

    public Instant pushedAt() {
        return id.pushedAt();
    }
}
