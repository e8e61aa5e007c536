package dev.orderly.job.store;

import dev.orderly.job.JobFailure;
import dev.orderly.job.NodeId;
import dev.orderly.time.StoredTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Report about the outcome of an attempt.
 *
 * @param node the node that holds the job; null for a report of the attempt's own worker, whichever node passes it on
 */
public record Settlement(@Nullable NodeId node, AttemptId attempt, AttemptOutcome outcome) {
    /** The same report with its moment in the precision of a store. */
    public Settlement in(StoredTime time, Instant now) {
        return switch (outcome) {
            case AttemptOutcome.Retry retry ->
                with(new AttemptOutcome.Retry(time.stored(retry.at(), now), retry.failure(), retry.end()));
            case AttemptOutcome.Snooze snooze -> with(new AttemptOutcome.Snooze(time.stored(snooze.at(), now)));
            case AttemptOutcome.Awaiting(Set<String> names, Instant at) when at != null ->
                with(new AttemptOutcome.Awaiting(names, time.stored(at, now)));
            case AttemptOutcome.Awaiting _ -> this;
            case AttemptOutcome.Throttle(Duration rest, boolean all, Instant at) when at != null ->
                with(new AttemptOutcome.Throttle(rest, all, time.stored(at, now)));
            case AttemptOutcome.Throttle _ -> this;
            case AttemptOutcome.Unread(JobFailure why, Instant at) when at != null ->
                with(new AttemptOutcome.Unread(why, time.stored(at, now)));
            case AttemptOutcome.Unread _ -> this;
            case AttemptOutcome.Done _,AttemptOutcome.GiveBack _,AttemptOutcome.Dead _ -> this;
            case AttemptOutcome.Cancelled _,AttemptOutcome.Leased _ -> this;
        };
    }

    private Settlement with(AttemptOutcome other) {
        return new Settlement(node, attempt, other);
    }
}
