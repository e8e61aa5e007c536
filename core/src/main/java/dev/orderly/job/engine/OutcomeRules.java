package dev.orderly.job.engine;

import dev.orderly.job.CancellationSignal.Reason;
import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobFailure;
import dev.orderly.job.JobId;
import dev.orderly.job.OnDead;
import dev.orderly.job.RetryLater;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.Throttled;
import dev.orderly.job.TimedOut;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.ClaimedJob;
import dev.orderly.text.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a job after an attempt: by what its handler did, what its signal says, and the settings of its queue
 * and of its push. Thread-safe.
 */
final class OutcomeRules {
    private static final JobFailure UNCOMMITTED = new JobFailure("The transaction that completed the job did not"
            + " commit, so the changes of its handler are lost: commit after completeIn, before the handler returns",
            "");

    private final EngineOptions options;
    private final Settler settler;

    OutcomeRules(EngineOptions options, Settler settler) {
        this.options = options;
        this.settler = settler;
    }

    /**
     * The outcome of an attempt whose handler was called.
     *
     * @param thrown by the handler; null if it returned
     */
    AttemptOutcome of(DeclaredQueue queue, RunningJob job, @Nullable Throwable thrown) {
        Reason reason = job.signal.reason().orElse(null);
        if (reason == Reason.LEASE_LOST) {
            return new AttemptOutcome.GiveBack();
        }
        if (reason == Reason.TIMEOUT) {
            Duration timeout = timeout(queue, job.claimed());
            return failed(queue, job.claimed(), JobAttempt.End.TIMED_OUT,
                    new JobFailure("Timed out after " + DurationText.of(timeout),
                            thrown == null ? "The handler returned after its timeout." : JobFailure.stackOf(thrown)),
                    null);
        }
        return switch (thrown) {
            case null -> job.isSettledInTransaction()
                    ? uncommitted(queue, job.claimed())
                    : job.requestedOutcome();
            case Throwable _ when reason == Reason.STOPPING -> new AttemptOutcome.GiveBack();
            case Throwable _ when reason == Reason.CANCELLED -> new AttemptOutcome.Cancelled("Cancelled while it ran");
            case Unprocessable e -> dead(queue, job.claimed(), JobAttempt.End.FAILED, JobFailure.of(e));
            case TimedOut e -> dead(queue, job.claimed(), JobAttempt.End.FAILED, JobFailure.of(e));
            case Throttled e -> throttled(queue, job.claimed(), e);
            case RetryLater e -> failed(queue, job.claimed(), JobAttempt.End.FAILED, JobFailure.of(e), e.delay());
            case Throwable e -> failed(queue, job.claimed(), JobAttempt.End.FAILED, JobFailure.of(e), null);
        };
    }

    /** @param ownDelay until the next attempt; null for that of the retry policy */
    AttemptOutcome failed(DeclaredQueue queue, ClaimedJob job, JobAttempt.End end, JobFailure failure,
            @Nullable Duration ownDelay) {
        int failures = job.failures() + 1;
        RetryPolicy retry = retry(queue, job);
        Duration delay = retry.delayAfter(failures, options.random()).orElse(null);
        if (delay == null) {
            return dead(queue, job, end, failure);
        }
        Duration wait = ownDelay == null ? delay : ownDelay;
        queue.failures.warn("Job {} of {} failed ({} of {}), again in {}: {}", job.id(), queue.name, failures,
                retry.attempts(), DurationText.of(wait), failure.summary());
        return new AttemptOutcome.Retry(options.time().now().plus(wait), failure, end);
    }

    /** The outcome of a throttled attempt: after too many in a row a dead letter. */
    private AttemptOutcome throttled(DeclaredQueue queue, ClaimedJob job, Throttled thrown) {
        int times = settler.throttles(job.attempt()) + 1;
        JobFailure failure = JobFailure.of(thrown);
        if (times >= Throttled.ROW_MAX) {
            return dead(queue, job, JobAttempt.End.THROTTLED, throttledTooOften(times, failure));
        }
        queue.throttles.info("Job {} of {} is throttled for {}, {} in a row: {}", job.id(), queue.name,
                DurationText.of(thrown.rest()), times, failure.summary());
        return new AttemptOutcome.Throttle(thrown.rest(), thrown.isOfAll(), options.time().now().plus(thrown.rest()));
    }

    /** The failure of a dead letter that was throttled too many times in a row, the last time for this reason. */
    static JobFailure throttledTooOften(int times, JobFailure last) {
        return new JobFailure("Throttled " + times + " times in a row, which is the most: " + last.summary(),
                last.detail());
    }

    /**
     * The outcome of an attempt whose handler has completed its job in a transaction, and returned: a failure, which
     * the store refuses if the transaction has committed, and answers once it has ended. So whether it has is asked
     * with the report, at no further cost, and logged only when the failure was accepted.
     */
    private AttemptOutcome uncommitted(DeclaredQueue queue, ClaimedJob job) {
        return retry(queue, job).delayAfter(job.failures() + 1, options.random())
                .<AttemptOutcome>map(wait -> new AttemptOutcome.Retry(options.time().now().plus(wait), UNCOMMITTED))
                .orElseGet(() -> new AttemptOutcome.Dead(UNCOMMITTED, halts(queue)));
    }

    private static RetryPolicy retry(DeclaredQueue queue, ClaimedJob job) {
        return job.terms().retryOr(queue.options().retry());
    }

    /** The longest time of an attempt. */
    static Duration timeout(DeclaredQueue queue, ClaimedJob job) {
        return job.terms().timeoutOr(queue.options().timeout());
    }

    private static boolean halts(DeclaredQueue queue) {
        return queue.name.isFifo() && queue.options().onDead() == OnDead.HALT;
    }

    /** Logs a failure that the store has accepted, and that was not known before: see {@link #uncommitted}. */
    static void accepted(DeclaredQueue queue, JobId job, AttemptOutcome outcome) {
        if (UNCOMMITTED.equals(outcome.failure())) {
            queue.failures.warn("Job {} of {} {}: {}", job, queue.name,
                    outcome instanceof AttemptOutcome.Dead ? "is a dead letter" : "failed", UNCOMMITTED.summary());
        }
    }

    /** The outcome of a job that is a dead letter from now on. */
    static AttemptOutcome dead(DeclaredQueue queue, ClaimedJob job, JobAttempt.End end,
            JobFailure failure) {
        boolean halt = halts(queue);
        queue.deadLetters.error("Job {} of {} is a dead letter{}: {}", job.id(), queue.name,
                halt ? " and halts its group " + job.group() : "", failure.summary());
        return new AttemptOutcome.Dead(failure, halt, end);
    }
}
