package dev.orderly.job.store;

import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;

/**
 * One run of a job. The number counts the claims of the job from 1 and is the fence: only the newest attempt can settle
 * the job, and only while its node holds it.
 */
public record AttemptId(JobId id, QueueName queue, int number) {}
