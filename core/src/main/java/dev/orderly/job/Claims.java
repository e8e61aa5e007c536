package dev.orderly.job;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a claim.
 *
 * @param jobs jobs of one group stand in their order; the node runs them one after the other
 * @param nextDue the earliest moment at which a delayed job of an asked queue becomes due, null if none
 *     is delayed; a hint, may be early. A moment that was past when the claim was made says nothing: what was due then
 *     and was not handed out is held back by something else
 */
public record Claims(List<ClaimedJob> jobs, @Nullable Instant nextDue) {
    public Claims {
        jobs = List.copyOf(jobs);
    }
}
