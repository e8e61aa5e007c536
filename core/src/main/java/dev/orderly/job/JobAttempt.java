package dev.orderly.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One run of a job, as views show it. Moments and nodes that a store does not keep are null. Implemented by Orderly;
 * equal copies are equal.
 */
public interface JobAttempt {
    /** The largest number of ended attempts that are kept with a job. */
    int KEPT_MAX = 20;
    /** The number of newest failures whose detail is kept with their attempt. */
    int DETAILS_MAX = 3;
    /** The largest number of characters of such a detail. */
    int DETAIL_MAX = 4_000;

    /** The largest number of nodes whose unreadable attempts are kept. */
    int UNREAD_MAX = 10;

    /** The number of the claim, from 1. */
    int number();

    /** The node and the moment of the claim, as far as they are kept. */
    JobRun run();

    /** The moment of the end; null while it runs. */
    @Nullable
    Instant endedAt();

    /** The way in which it ended; null while it runs. */
    @Nullable
    End end();

    /** The moment from which the job was due again; null for at once, and after the last attempt. */
    @Nullable
    Instant nextAt();

    /**
     * The cause of a failed or unreadable attempt; null for others. Of older attempts the detail is cut or empty.
     */
    @Nullable
    JobFailure failure();

    /** The ways in which an attempt ends. */
    enum End {
        DONE,
        /** The handler failed. */
        FAILED,
        /** The handler ran longer than the timeout of its queue. */
        TIMED_OUT,
        /** The handler put the job off. */
        SNOOZED,
        /** The handler awaits an event. */
        AWAITING,
        /** The handler was refused for a time, see {@link Throttled}. Of several in a row the last is kept. */
        THROTTLED,
        /** The node gave the job back: it stopped, or had not called the handler yet. */
        GIVEN_BACK,
        /** The node's version could not read the payload, and gave the job back. */
        UNREADABLE,
        /** The node sent no heartbeat any more. */
        NODE_DIED,
        /** The worker elsewhere reported no outcome before the end of its lease. */
        LEASE_ENDED, CANCELLED;

        /** The name in JSON, such as {@code timed-out}. */
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }
}
