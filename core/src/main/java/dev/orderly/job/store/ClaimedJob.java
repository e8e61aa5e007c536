package dev.orderly.job.store;

import dev.orderly.job.JobId;
import dev.orderly.job.JobTerms;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.trace.TraceContext;
import dev.orderly.user.UserId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job handed to a node.
 *
 * @param attempt its number fences every report of the node about the job
 * @param failures failed attempts before this one, counted against the retry policy
 * @param crashes number of nodes that died while the job may have run
 * @param group set if and only if the queue is FIFO
 * @param sequence order of the jobs in a group: a larger number was pushed later; 63 bits, not consecutive
 * @param trace the trace that the push belonged to; null for none
 */
public record ClaimedJob(AttemptId attempt, int failures, int crashes, @Nullable String group, long sequence,
        Payload payload,
        Map<String, String> params, @Nullable UserId user, @Nullable TraceContext trace, JobTerms terms) {
    /** A job that is in everything as its queue says. */
    public ClaimedJob(AttemptId attempt, int failures, int crashes, @Nullable String group, long sequence,
            Payload payload, Map<String, String> params, @Nullable UserId user, @Nullable TraceContext trace) {
        this(attempt, failures, crashes, group, sequence, payload, params, user, trace, JobTerms.NONE);
    }

    /** The first attempt of a job that was handed off with its push. */
    public static ClaimedJob handedOff(JobId id, NewJob job) {
        return new ClaimedJob(new AttemptId(id, job.queue(), 1), 0, 0, job.group(), id.sequence(), job.payload(),
                job.params(), job.user(), job.trace(), job.terms());
    }

    public JobId id() {
        return attempt.id();
    }

    public QueueName queue() {
        return attempt.queue();
    }
}
