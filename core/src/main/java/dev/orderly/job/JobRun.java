package dev.orderly.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The node and the moment of an attempt, as far as they are kept.
 *
 * @param node the node that held the job, at the end of the attempt; null if it is not kept, or if no node did
 * @param startedAt moment of the claim: a node may hold a job for a while before it calls the handler
 */
public record JobRun(@Nullable NodeId node, @Nullable Instant startedAt) {
    public static final JobRun UNKNOWN = new JobRun(null, null);
}
