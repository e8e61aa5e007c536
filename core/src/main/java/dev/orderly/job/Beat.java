package dev.orderly.job;

import java.util.Set;

/**
 * The answer to a node's heartbeat.
 *
 * @param alive false if the node was declared dead since its last beat: its jobs were given to others and it must stop
 *     running them; it is alive again from now on, with nothing claimed
 * @param cancelled jobs this node runs whose cancellation was asked for; repeated at each beat until settled
 */
public record Beat(boolean alive, Set<JobId> cancelled) {
    public Beat {
        cancelled = Set.copyOf(cancelled);
    }
}
