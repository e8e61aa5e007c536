package dev.orderly.job.store;

import dev.orderly.job.JobId;
import dev.orderly.job.QueueName;

/**
 * One run of a job. The number counts every claim of the job from 1 up and fences it: only the newest attempt, while
 * its node holds it, can settle.
 */
public record AttemptId(JobId id, QueueName queue, int number) {}
