package dev.orderly.job.search;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.QueueName;
import dev.orderly.user.UserId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The part of a job that a search compares. A store reads params and failure only for a search that asks for them.
 *
 * @param failure summary of the last failure
 * @param error the error of a dead letter; null in other states
 */
public record JobCandidate(JobId id, QueueName queue, JobState state, @Nullable String group, @Nullable UserId user,
        Map<String, String> params, @Nullable String failure, @Nullable ErrorFingerprint error) {}
