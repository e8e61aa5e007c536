package dev.orderly.job;

import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A read-only copy of a job, out of date at once. Implemented by Orderly; equal copies are equal. */
public interface JobView {
    JobId id();

    QueueName queue();

    /** The group; null on a standard queue. */
    @Nullable
    String group();

    Priority priority();

    JobState state();

    /** The number of claims so far. */
    int attempt();

    /** The number of failed attempts so far, counted against the retry policy. */
    int failures();

    /** The moment at which a delayed job becomes due; null in other states. */
    @Nullable
    Instant dueAt();

    /** The moment at which the job became done, dead or cancelled; null before. */
    @Nullable
    Instant endedAt();

    /** The user that the job belongs to; null for none. */
    @Nullable
    UserId user();

    /** Names and values pushed beside the payload. */
    Map<String, String> params();

    /** The payload; null once done or cancelled. */
    @Nullable
    Payload payload();

    /** The cause of the last failed attempt; null if none. */
    @Nullable
    JobFailure failure();

    /** The progress that the handler reported last; null if none. */
    @Nullable
    JobProgress progress();

    /** The result that the handler set; null if none. */
    @Nullable
    Payload result();

    /** The reason of the cancellation; null in other states. */
    @Nullable
    String reason();

    /** The end of the lease of a running job that no node holds, by the store's clock; null otherwise. */
    @Nullable
    Instant leasedUntil();

    /** The dead letter whose content was pushed again as this job; null for none. */
    @Nullable
    JobId origin();

    /** The claim of the newest attempt, of a running job, and of a done job as far as it is kept; else null. */
    @Nullable
    JobRun run();

    /** The trace that the push belonged to; null for none. */
    @Nullable
    TraceContext trace();

    /** What the push said in place of the queue. */
    default JobTerms terms() {
        return JobTerms.NONE;
    }

    /** The moment of the push. */
    default Instant pushedAt() {
        return id().pushedAt();
    }
}
