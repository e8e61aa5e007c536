package dev.orderly.job;

/**
 * One run of a job. The number counts every claim of the job from 1 up and fences it: only the newest attempt, while
 * its node holds it, can settle.
 */
public record Attempt(JobId id, QueueName queue, int number) {}
