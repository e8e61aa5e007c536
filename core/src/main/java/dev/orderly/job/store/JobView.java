package dev.orderly.job.store;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.Priority;
import dev.orderly.job.QueueName;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as it can be looked at; a copy, out of date as soon as it is made.
 *
 * @param attempt claims so far
 * @param failures failed attempts so far, counted against the retry policy
 * @param dueAt when a delayed job is due; null in other states
 * @param endedAt when it became done, dead or cancelled; null before
 * @param payload null once done or cancelled
 * @param failure of the last failed attempt; null if none
 * @param result what the handler left; null if nothing
 * @param reason why it was cancelled; null in other states
 */
public record JobView(JobId id, QueueName queue, @Nullable String group, Priority priority, JobState state, int attempt,
        int failures, @Nullable Instant dueAt, @Nullable Instant endedAt, @Nullable String user,
        Map<String, String> params, @Nullable Payload payload, @Nullable JobFailure failure,
        @Nullable JobProgress progress,
        @Nullable Payload result, @Nullable String reason) {
    public JobView {
        params = Map.copyOf(params);
    }

    public Instant pushedAt() {
        return id.pushedAt();
    }
}
