package dev.orderly.bench.contender;

import java.util.List;
import java.util.function.Consumer;

/**
 * A job queue on PostgreSQL, configured as its documentation advises. Pushes are durable when they return, from any
 * thread.
 */
public interface Contender extends AutoCloseable {
    /** Pushes one job. */
    void push(String payload);

    /** Pushes at most 1,000 jobs by the contender's bulk operation. */
    void pushAll(List<String> payloads);

    /** Starts running jobs; called once. */
    void start(Consumer<String> handler);

    /**
     * Waits until the endings of {@code jobs} jobs since the start are durable, where an ending becomes durable after
     * the next job's start.
     */
    default void awaitEnds(long jobs) throws InterruptedException {}

    @Override
    void close();
}
