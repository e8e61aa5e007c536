package dev.orderly.job.store;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobTerms;
import dev.orderly.job.OnDead;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Request for one round of upkeep.
 *
 * @param deadAfter nodes without a heartbeat for longer are dead: their jobs are given back, and a crash is counted for
 *     the jobs that may have run
 * @param crashLimit number of crashes, each while the job ran alone, at which it becomes a dead letter instead
 * @param onDead the queues that a node declares, with the effect of a dead letter on its group, from now on;
 *     {@link dev.orderly.job.OnDead#CONTINUE} on a standard queue. A queue that is not named stays as it is, and so
 *     does a queue for which the declaration does not {@link Declared#replaces replace} the stored one
 * @param keep retention of ended jobs
 * @param limit largest number of jobs taken from dead nodes, of leases ended, and of jobs pruned
 * @param limits the limits that a node declares; what is not named stays as it is
 */
public record UpkeepRequest(Duration deadAfter, int crashLimit, Map<QueueName, Declared<OnDead>> onDead,
        Retention keep, int limit, LeaseRules leases, DeclaredLimits limits) {
    public UpkeepRequest {
        onDead = Map.copyOf(onDead);
    }

    /** The failure of a job that becomes a dead letter by the deaths of its nodes. */
    public static JobFailure poison(int loneCrashes) {
        return new JobFailure("Its node died " + loneCrashes + " times while it ran with no other job beside it", "");
    }

    /** A request that ends leases by the default rules. */
    public UpkeepRequest(Duration deadAfter, int crashLimit, Map<QueueName, Declared<OnDead>> onDead, Retention keep,
            int limit) {
        this(deadAfter, crashLimit, onDead, keep, limit, LeaseRules.DEFAULT);
    }

    /** A request that declares no limits. */
    public UpkeepRequest(Duration deadAfter, int crashLimit, Map<QueueName, Declared<OnDead>> onDead, Retention keep,
            int limit, LeaseRules leases) {
        this(deadAfter, crashLimit, onDead, keep, limit, leases, DeclaredLimits.NONE);
    }

    /**
     * The rules for leases that are over.
     *
     * @param end whether leases are ended in this round
     * @param retries backoff of an attempt whose lease ended, by queue, without jitter; a queue that is not named has
     *     the default of its kind
     */
    public record LeaseRules(boolean end, Map<QueueName, RetryPolicy> retries) {
        /** Leases are ended, with the default backoff. */
        public static final LeaseRules DEFAULT = new LeaseRules(true, Map.of());

        public LeaseRules {
            retries = Map.copyOf(retries);
        }

        /**
         * The outcome of an attempt whose lease is over.
         *
         * @param terms of the job, in place of the rules of its queue
         * @param failures failed attempts before this one
         * @param cancelled whether the job was asked to be cancelled
         * @param halts whether a dead letter halts its group
         */
        public AttemptOutcome outcome(QueueName queue, JobTerms terms, int failures, boolean cancelled, boolean halts,
                Instant now) {
            if (cancelled) {
                return new AttemptOutcome.Cancelled("Cancelled while it ran");
            }
            RetryPolicy retry = terms.retryOr(retries.getOrDefault(queue, QueueOptions.defaultsFor(queue).retry()));
            JobFailure failure = new JobFailure("Timed out: the lease ended before the worker reported an outcome", "");
            return retry.delayAfter(failures + 1)
                    .<AttemptOutcome>map(delay -> new AttemptOutcome.Retry(now.plus(delay), failure,
                            JobAttempt.End.LEASE_ENDED))
                    .orElse(new AttemptOutcome.Dead(failure, halts && queue.isFifo(), JobAttempt.End.LEASE_ENDED));
        }
    }

    /**
     * Retention of ended jobs.
     *
     * @param done time for which done and cancelled jobs are kept
     * @param doneMax approximate largest number of done and cancelled jobs in the store; the oldest are pruned first
     * @param dead time for which dead letters are kept; a dead letter that halts its group is kept until it is redriven
     *     or cancelled
     */
    public record Retention(Duration done, long doneMax, Duration dead) {
        /** 24 hours and 100,000 done jobs, 14 days for dead letters. */
        public static final Retention DEFAULT = new Retention(Duration.ofHours(24), 100_000, Duration.ofDays(14));
    }
}
