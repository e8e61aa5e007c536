package dev.orderly.job;

import dev.orderly.time.StoredTime;
import java.time.Instant;

/** The report of a node that an attempt has ended. */
public record Settlement(NodeId node, Attempt attempt, Ending ending) {
    /** The same with its moment as a store keeps it. */
    public Settlement in(StoredTime time, Instant now) {
        return switch (ending) {
            case Ending.Retry retry -> with(new Ending.Retry(time.stored(retry.at(), now), retry.failure()));
            case Ending.Snooze snooze -> with(new Ending.Snooze(time.stored(snooze.at(), now)));
            case Ending.Done _,Ending.GiveBack _,Ending.Dead _,Ending.Cancelled _ -> this;
        };
    }

    private Settlement with(Ending other) {
        return new Settlement(node, attempt, other);
    }
}
