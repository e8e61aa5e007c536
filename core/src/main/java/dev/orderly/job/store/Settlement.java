package dev.orderly.job.store;

import dev.orderly.time.StoredTime;
import java.time.Instant;

/** Report of a node about the outcome of an attempt. */
public record Settlement(NodeId node, AttemptId attempt, AttemptOutcome outcome) {
    /** The same report with its moment in the precision of a store. */
    public Settlement in(StoredTime time, Instant now) {
        return switch (outcome) {
            case AttemptOutcome.Retry retry ->
                with(new AttemptOutcome.Retry(time.stored(retry.at(), now), retry.failure()));
            case AttemptOutcome.Snooze snooze -> with(new AttemptOutcome.Snooze(time.stored(snooze.at(), now)));
            case AttemptOutcome.Done _,AttemptOutcome.GiveBack _,AttemptOutcome.Dead _,AttemptOutcome.Cancelled _ ->
                this;
        };
    }

    private Settlement with(AttemptOutcome other) {
        return new Settlement(node, attempt, other);
    }
}
