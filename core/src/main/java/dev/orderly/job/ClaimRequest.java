package dev.orderly.job;

import java.util.List;

/**
 * What a node could run now.
 *
 * @param wants at most one entry a queue; queues are served in list order, each up to its limit
 */
public record ClaimRequest(NodeId node, List<Want> wants) {
    public ClaimRequest {
        wants = List.copyOf(wants);
    }

    /**
     * Room for work from one queue.
     *
     * @param lines 1 or more: how many handlers may start. On a standard queue that many jobs; on a FIFO queue that
     *     many groups, each with up to {@link JobStore#GROUP_RUN} jobs
     */
    public record Want(QueueName queue, int lines) {
        public Want {
            if (lines < 1) {
                throw new IllegalArgumentException("Asked for " + lines + " jobs of " + queue + ": ask for 1 or more");
            }
        }
    }
}
