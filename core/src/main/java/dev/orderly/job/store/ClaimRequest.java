package dev.orderly.job.store;

import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import java.util.List;

/**
 * What a node could run now.
 *
 * @param wants at most one entry a queue; queues are served in list order, each up to its limit
 * @param bytes 1 or more: how much payload the node has room for. The claim hands out no more, but for its first job,
 *     which goes out whatever its size
 */
public record ClaimRequest(NodeId node, List<Demand> wants, long bytes) {
    public ClaimRequest {
        wants = List.copyOf(wants);
        if (bytes < 1) {
            throw new IllegalArgumentException("A claim has room for " + bytes + " bytes: ask for 1 or more");
        }
    }

    /** With room for payloads of any size. */
    public ClaimRequest(NodeId node, List<Demand> wants) {
        this(node, wants, Long.MAX_VALUE);
    }

    /** A fresh budget of {@link #bytes}. */
    public Budget budget() {
        return new Budget(bytes);
    }

    /**
     * Room for work from one queue.
     *
     * @param lines 1 or more: how many handlers may start. On a standard queue that many jobs; on a FIFO queue that
     *     many groups, each with up to {@link JobStore#GROUP_RUN} jobs
     */
    public record Demand(QueueName queue, int lines) {
        public Demand {
            if (lines < 1) {
                throw new IllegalArgumentException("Asked for " + lines + " jobs of " + queue + ": ask for 1 or more");
            }
        }
    }

    /**
     * How many bytes of payload one claim may still hand out: for stores, which ask it before each job. Not thread-safe.
     */
    public static final class Budget {
        private long left;
        private boolean untouched = true;

        Budget(long bytes) {
            left = bytes;
        }

        /**
         * Whether a job goes out; if so, it is counted. The first one does whatever its size, or a job larger than the budget
         * would wait for ever. Of a queue whose job does not fit, nothing more is handed out, so that small jobs do not
         * overtake it.
         */
        public boolean take(Payload payload) {
            if (!untouched && payload.size() > left) {
                return false;
            }
            untouched = false;
            left -= payload.size();
            return true;
        }

        /** Bytes; zero or less when nothing more fits. */
        public long left() {
            return left;
        }

        /** Whether nothing has gone out yet. */
        public boolean isUntouched() {
            return untouched;
        }
    }
}
