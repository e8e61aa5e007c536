package dev.orderly.job;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** State and counts of a queue; counts may lag by a second. Implemented by Orderly; equal copies are equal. */
public interface QueueView {
    QueueName queue();

    /** Whether claims are paused, on all nodes. */
    boolean paused();

    /** Jobs that can be claimed, or wait for earlier jobs of their group. */
    long waiting();

    /**
     * Jobs of a standard queue that are not due yet; on a FIFO queue, first jobs of groups that wait for their retry.
     */
    long delayed();

    /** Jobs that run, leased jobs among them. */
    long running();

    /** Running jobs that no node holds, as {@link Job#detach} leaves them. */
    long leased();

    /** Dead letters. */
    long dead();

    /** Finished and cancelled jobs that are still kept. */
    long done();

    /** Groups that stopped at a dead letter. */
    long halted();

    /** The moment at which the oldest waiting job was pushed; null if none is waiting. */
    @Nullable
    Instant oldestPushedAt();
}
