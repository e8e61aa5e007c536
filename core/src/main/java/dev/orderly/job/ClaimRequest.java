package dev.orderly.job;

import java.util.List;

/**
 * What a node could run now.
 *
 * @param wants at most one entry a queue; queues are served in list order, each up to its limit
 * @param bytes 1 or more: how much payload the node has room for. The claim hands out no more, but for its first job,
 *     which goes out whatever its size
 */
public record ClaimRequest(NodeId node, List<Want> wants, long bytes) {
    public ClaimRequest {
        wants = List.copyOf(wants);
        if (bytes < 1) {
            throw new IllegalArgumentException("A claim has room for " + bytes + " bytes: ask for 1 or more");
        }
    }

    /** With room for payloads of any size. */
    public ClaimRequest(NodeId node, List<Want> wants) {
        this(node, wants, Long.MAX_VALUE);
    }

    /** A fresh budget of {@link #bytes}. */
    public ClaimBudget budget() {
        return new ClaimBudget(bytes);
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
