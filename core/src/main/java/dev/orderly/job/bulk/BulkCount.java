package dev.orderly.job.bulk;

/**
 * The number of jobs that an operation would change now.
 *
 * @param atLeast whether counting stopped at a bound, so that there may be more
 */
public record BulkCount(long jobs, boolean atLeast) {}
