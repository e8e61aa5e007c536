package dev.orderly.job.pull;

import dev.orderly.job.QueueName;
import dev.orderly.text.DurationText;
import java.time.Duration;
import java.util.Objects;

/**
 * A worker's request for jobs.
 *
 * @param max most jobs, 1 to {@value #MAX}; on a FIFO queue each of another group
 * @param patience longest time without a job until the answer is empty, 0 to 30 seconds
 * @param lease time for which the worker has the jobs, 5 seconds to 12 hours; it may prolong them
 */
public record PullRequest(QueueName queue, int max, Duration patience, Duration lease) {
    /** The most jobs of one request. */
    public static final int MAX = 100;
    /** The longest wait. */
    public static final Duration WAIT_MAX = Duration.ofSeconds(30);
    /** The shortest lease. */
    public static final Duration LEASE_MIN = Duration.ofSeconds(5);
    /** The longest lease. */
    public static final Duration LEASE_MAX = Duration.ofHours(12);

    /** @throws IllegalArgumentException naming the value, its bounds and the remedy */
    public PullRequest {
        Objects.requireNonNull(queue, "queue");
        if (max < 1 || max > MAX) {
            throw new IllegalArgumentException("max is " + max + ": use 1 to " + MAX);
        }
        if (patience.isNegative() || patience.compareTo(WAIT_MAX) > 0) {
            throw new IllegalArgumentException("wait is " + DurationText.of(patience) + ": use 0 s to 30 s");
        }
        if (lease.compareTo(LEASE_MIN) < 0 || lease.compareTo(LEASE_MAX) > 0) {
            throw new IllegalArgumentException("lease is " + lease + ": use 5 s to 12 h");
        }
    }
}
