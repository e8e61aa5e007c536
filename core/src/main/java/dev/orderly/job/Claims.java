package dev.orderly.job;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a claim.
 *
 * @param jobs jobs of one group stand in their order; the node runs them one after the other
 * @param nextDue the earliest moment at which a delayed job of an asked queue becomes due, null if none
 *     is delayed; a hint, may be early, but never in the past: a paused queue and jobs that could not be handed out have no
 *     such moment
 * @param paused those of the asked queues that are paused, so that a node need not ask again at each push
 */
public record Claims(List<ClaimedJob> jobs, @Nullable Instant nextDue, Set<QueueName> paused) {
    public Claims {
        jobs = List.copyOf(jobs);
        paused = Set.copyOf(paused);
    }
}
