package dev.orderly.bench.postgres;

import java.util.List;
import java.util.function.Consumer;

/** A job queue on PostgreSQL, used as its makers say. Pushes are durable when they return, from any thread. */
interface Contender extends AutoCloseable {
    void push(String payload);

    /** At most 1,000 by the means it has for many. */
    void pushAll(List<String> payloads);

    /** Begins to run jobs; once. */
    void start(Consumer<String> handler);

    /** Waits until the ends of so many jobs since the start are durable, where that comes later than the next job. */
    default void awaitEnds(long jobs) throws InterruptedException {}

    @Override
    void close();
}
