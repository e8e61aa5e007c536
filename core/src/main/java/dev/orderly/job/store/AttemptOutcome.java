package dev.orderly.job.store;

import dev.orderly.job.JobAttempt;
import dev.orderly.job.JobFailure;
import dev.orderly.job.Payload;
import dev.orderly.text.DurationText;
import dev.orderly.text.StoredText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The outcome of an attempt, as reported to the store. */
public sealed interface AttemptOutcome {
    /** The longest lease. */
    Duration LEASE_MAX = Duration.ofDays(7);

    /** Whether the job is settled for good, so that the next job of its group may start. */
    default boolean isFinal() {
        return switch (this) {
            case Done _,Cancelled _ -> true;
            case Dead dead -> !dead.halt();
            case Retry _,Snooze _,Awaiting _,Throttle _,GiveBack _,Unread _,Leased _ -> false;
        };
    }

    /**
     * This outcome for a job that was asked to be cancelled. Only a report that it is done counts as it is; any other
     * end is the cancellation. A lease ends no attempt and stays as it is.
     */
    default AttemptOutcome whenCancelling() {
        return switch (this) {
            case Done _,Cancelled _,Leased _ -> this;
            case Snooze _,Awaiting _,Throttle _,GiveBack _ -> Cancelled.onRequest();
            case Retry retry -> Cancelled.after(retry.failure());
            case Dead dead -> Cancelled.after(dead.failure());
            case Unread unread -> Cancelled.after(unread.why());
        };
    }

    /**
     * The end of an attempt with this outcome.
     *
     * @throws IllegalArgumentException for a lease, which ends no attempt
     */
    default JobAttempt.End end() {
        return switch (this) {
            case Done _ -> JobAttempt.End.DONE;
            case Cancelled _ -> JobAttempt.End.CANCELLED;
            case Retry retry -> retry.end();
            case Dead dead -> dead.end();
            case Snooze _ -> JobAttempt.End.SNOOZED;
            case Awaiting _ -> JobAttempt.End.AWAITING;
            case Throttle _ -> JobAttempt.End.THROTTLED;
            case GiveBack _ -> JobAttempt.End.GIVEN_BACK;
            case Unread _ -> JobAttempt.End.UNREADABLE;
            case Leased _ -> throw new IllegalArgumentException("A lease ends no attempt");
        };
    }

    /** The moment from which the job is due again; null for at once, or never. */
    default @Nullable Instant nextAt() {
        return switch (this) {
            case Retry retry -> retry.at();
            case Snooze snooze -> snooze.at();
            case Awaiting awaiting -> awaiting.at();
            case Throttle throttle -> throttle.at();
            case Unread unread -> unread.at();
            case Done _,Cancelled _,Dead _,GiveBack _,Leased _ -> null;
        };
    }

    /** The failure that counts against the retry policy; null for none. */
    default @Nullable JobFailure failure() {
        return switch (this) {
            case Retry retry -> retry.failure();
            case Dead dead -> dead.failure();
            case Done _,Cancelled _,Snooze _,Awaiting _,Throttle _,GiveBack _,Unread _,Leased _ -> null;
        };
    }

    /**
     * Completed.
     *
     * @param result the result that the handler set; null for none
     */
    record Done(@Nullable Payload result) implements AttemptOutcome {}

    /**
     * Failed; counts as a failure. The job is due again at {@code at}; on a FIFO queue its group waits with it.
     *
     * @param end the kind of the failure
     */
    record Retry(Instant at, JobFailure failure, JobAttempt.End end) implements AttemptOutcome {
        /** A failure of the handler. */
        public Retry(Instant at, JobFailure failure) {
            this(at, failure, JobAttempt.End.FAILED);
        }
    }

    /** Delayed by its handler; counts as no failure. On a FIFO queue the group waits with it. */
    record Snooze(Instant at) implements AttemptOutcome {}

    /**
     * Waits for events; counts as no failure. The job is due once one of them has come, at once if it has, or else when
     * the first of the waits is over. On a FIFO queue the group waits with it.
     *
     * @param names the events, each of which the attempt has asked for by {@link JobStore#await}; 1 or more
     * @param at the end of the first wait; null for at once
     */
    record Awaiting(Set<String> names, @Nullable Instant at) implements AttemptOutcome {
        public Awaiting {
            names = Set.copyOf(names);
            if (names.isEmpty()) {
                throw new IllegalArgumentException("An attempt that awaits no event: name one");
            }
        }

        /** The outcome of a job for which one of the events has come. */
        public Awaiting atOnce() {
            return new Awaiting(names, null);
        }
    }

    /**
     * Refused for a time; counts as no failure. The key of the job rests, or the limit of its queue, and the job waits
     * at its old place; the job alone is due again at {@code at} if it has neither.
     *
     * @param rest the length of the rest, from now on by the store's clock; above 0
     * @param all whether the limit of the queue rests, if it has one, also of a job with a key
     * @param at the end of the rest by the caller's clock; null once a key or a limit rests in place of the job
     */
    record Throttle(Duration rest, boolean all, @Nullable Instant at) implements AttemptOutcome {
        /** What rests by an outcome. */
        public enum Resting {
            KEY, LIMIT, JOB
        }

        /** What rests. */
        public Resting resting(boolean keyed, boolean grouped, boolean limited) {
            if (limited && (all || (!keyed && !grouped))) {
                return Resting.LIMIT;
            }
            return keyed ? Resting.KEY : Resting.JOB;
        }

        /** The outcome for a job that waits at its old place, as something else rests. */
        public Throttle atOnce() {
            return new Throttle(rest, all, null);
        }
    }

    /**
     * Goes on without a node. The job stays running, held by no node, until a report of this attempt ends it or upkeep
     * finds the lease over. Survives the death of nodes and of the process. A later report of this kind replaces the
     * end of the lease. On a FIFO queue the group waits with it.
     *
     * @param length from now on, by the store's clock; above 0, at most {@link #LEASE_MAX}
     */
    record Leased(Duration length) implements AttemptOutcome {
        public Leased {
            if (!length.isPositive() || length.compareTo(LEASE_MAX) > 0) {
                throw new IllegalArgumentException(
                        "A lease of " + DurationText.of(length) + ": use more than 0, at most " + LEASE_MAX.toDays()
                                + " days");
            }
        }
    }

    /** Not run, or interrupted by the node; counts as no failure, due at once, at its old position. */
    record GiveBack() implements AttemptOutcome {}

    /**
     * Given back by a node whose version cannot read the payload; counts as no failure. On a FIFO queue the group waits
     * with it.
     *
     * @param why names the type and what is wrong; kept with the attempt only
     * @param at moment from which the job is due again; null for at once, at its old position
     */
    record Unread(JobFailure why, @Nullable Instant at) implements AttemptOutcome {}

    /**
     * Dead letter; counts as a failure.
     *
     * @param halt whether the job's group stops until the job is redriven or cancelled; FIFO only
     * @param end the kind of the failure
     */
    record Dead(JobFailure failure, boolean halt, JobAttempt.End end) implements AttemptOutcome {
        /** A failure of the handler. */
        public Dead(JobFailure failure, boolean halt) {
            this(failure, halt, JobAttempt.End.FAILED);
        }
    }

    /**
     * Ended on purpose.
     *
     * @param reason one line, at most {@value JobFailure#SUMMARY_MAX} characters; cut and repaired as
     *     {@link JobFailure} is
     */
    record Cancelled(String reason) implements AttemptOutcome {
        public Cancelled {
            reason = StoredText.repaired(reason, JobFailure.SUMMARY_MAX);
        }

        /** The end of a job by a request to cancel it. */
        public static Cancelled onRequest() {
            return new Cancelled("Cancelled on request");
        }

        /** The end of a job of which no attempt may start any more, and none has before. */
        public static Cancelled expired(@Nullable Instant at) {
            return expired(at, List.of());
        }

        /** The end of a job of which no attempt may start any more; {@code before}: its attempts, the newest last. */
        public static Cancelled expired(@Nullable Instant at, List<JobAttempt> before) {
            return new Cancelled(before.isEmpty()
                    ? "Expired: no attempt had started by " + at
                    : "Expired: no attempt may start from " + at + " on, and attempt " + before.getLast().number()
                            + " ended as " + Objects.requireNonNull(before.getLast().end()).text());
        }

        private static Cancelled after(JobFailure failure) {
            return new Cancelled(onRequest().reason + "; its attempt failed: " + failure.summary());
        }
    }
}
