package dev.orderly.job.store;

import dev.orderly.job.JobId;
import dev.orderly.job.NodeId;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The jobs that a node could run now.
 *
 * @param wants at most one entry per queue; queues are served in list order, each up to its limit
 * @param bytes payload bytes that the node has room for, 1 or more. The claim hands out no more, except that its first
 *     job may have any size
 * @param passedOver jobs that this node is not to get, at most {@value #PASSED_MAX}: their payloads are of another
 *     version
 */
public record ClaimRequest(NodeId node, List<Demand> wants, long bytes, Set<JobId> passedOver) {
    /** The largest number of jobs that a claim passes over. */
    public static final int PASSED_MAX = 1_000;

    public ClaimRequest {
        wants = List.copyOf(wants);
        passedOver = Set.copyOf(passedOver);
        if (passedOver.size() > PASSED_MAX) {
            throw new IllegalArgumentException(
                    "A claim passes over " + passedOver.size() + " jobs: name at most " + PASSED_MAX);
        }
        if (bytes < 1) {
            throw new IllegalArgumentException("A claim has room for " + bytes + " bytes: ask for 1 or more");
        }
    }

    /** A request without a bound on payload bytes. */
    public ClaimRequest(NodeId node, List<Demand> wants) {
        this(node, wants, Long.MAX_VALUE);
    }

    /** A request that passes over no job. */
    public ClaimRequest(NodeId node, List<Demand> wants, long bytes) {
        this(node, wants, bytes, Set.of());
    }

    /** A fresh budget of {@link #bytes}. */
    public Budget budget() {
        return new Budget(bytes);
    }

    /**
     * Free capacity for one queue.
     *
     * @param limit number of handlers that may start, 1 or more. On a standard queue the limit of jobs; on a FIFO queue
     *     the limit of groups
     * @param run on a FIFO queue the most jobs of one group, 1 to {@link JobStore#GROUP_RUN}
     * @param ran mean run time of the jobs of keys, of which some have ended on this node since its last claim, at most
     *     {@value #RAN_MAX}. A hint: without it a key waits longer for its next job, or has the turns of another
     */
    public record Demand(QueueName queue, int limit, int run, Map<String, Duration> ran) {
        /** The largest number of keys that a claim names. */
        public static final int RAN_MAX = 1_000;

        /** A demand that says nothing about keys. */
        public Demand(QueueName queue, int limit, int run) {
            this(queue, limit, run, Map.of());
        }

        /** A demand for up to {@link JobStore#GROUP_RUN} jobs of each group. */
        public Demand(QueueName queue, int limit) {
            this(queue, limit, JobStore.GROUP_RUN);
        }

        public Demand {
            ran = Map.copyOf(ran);
            if (ran.size() > RAN_MAX) {
                throw new IllegalArgumentException("A claim names " + ran.size() + " keys: name at most " + RAN_MAX);
            }
            if (run < 1 || run > JobStore.GROUP_RUN) {
                throw new IllegalArgumentException(
                        "Asked for " + run + " jobs of each group of " + queue + ": ask for 1"
                                + " to " + JobStore.GROUP_RUN);
            }
            if (limit < 1) {
                throw new IllegalArgumentException("Asked for " + limit + " jobs of " + queue + ": ask for 1 or more");
            }
        }
    }

    /** Payload bytes that one claim may still hand out. Stores call {@link #take} before each job. Not thread-safe. */
    public static final class Budget {
        private long left;
        private boolean untouched = true;

        Budget(long bytes) {
            left = bytes;
        }

        /**
         * Spends the budget on a job, and returns whether the job may be handed out. The first job may have any size,
         * since a job larger than the budget would otherwise wait for ever. After a refusal the store hands out nothing
         * more of that queue, so that small jobs do not overtake a large job.
         */
        public boolean take(Payload payload) {
            if (!untouched && payload.size() > left) {
                return false;
            }
            untouched = false;
            left -= payload.size();
            return true;
        }

        /** The bytes left; zero or less when nothing more fits. */
        public long left() {
            return left;
        }

        /** Whether no job has been handed out yet. */
        public boolean isUntouched() {
            return untouched;
        }
    }
}
