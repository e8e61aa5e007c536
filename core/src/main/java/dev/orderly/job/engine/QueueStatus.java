package dev.orderly.job.engine;

import dev.orderly.job.QueueOptions;
import dev.orderly.job.QueueView;
import dev.orderly.job.settings.QueueOverride;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Status of a queue for operators. */
public interface QueueStatus {
    /**
     * The load of a queue on this node.
     *
     * @param handled whether this node has a handler of the queue
     * @param busy handlers that run
     * @param concurrency handlers that may run at once
     * @param freeBytes payload bytes that this node may still claim; zero or less for none
     * @param leaseOver whether the store has not answered the node's heartbeats for so long that no job may start
     */
    record Load(boolean handled, int busy, int concurrency, long freeBytes, boolean leaseOver) {}

    /** How this node holds a running job. */
    sealed interface Hold {
        /** Its handler has run since then, at about. */
        record Running(Instant since) implements Hold {}

        /** It is claimed, and its handler was not called yet. */
        record Claimed() implements Hold {}

        /** This node does not hold it. */
        record None() implements Hold {}
    }

    /** What the store knows of the queue. */
    QueueView view();

    /** This node's settings in force; null for a queue that holds jobs but is not declared here. */
    @Nullable
    QueueOptions options();

    /** This node's settings without those of operators; null where {@link #options} is. */
    @Nullable
    QueueOptions configured();

    /** The settings that operators have put in place of the configured ones. */
    QueueOverride override();

    /** Whether this node has a handler of the queue. */
    boolean handled();

    /** Jobs per second that this node settled for good, over about the last minute. */
    double drainedPerSecond();

    /** Time to drain the waiting jobs at that rate; null without a rate. */
    @Nullable
    Duration drainTime();
}
