package dev.orderly.store;

import org.jspecify.annotations.Nullable;

/** An observer of the calls of a store. Called on the thread of each call, after it: must neither block nor throw. */
@FunctionalInterface
public interface StoreObserver {
    /** Observes nothing. */
    StoreObserver NONE = (_, _, _, _) -> {};

    /**
     * A call has ended.
     *
     * @param items jobs, reports or visitors of the call
     * @param nanos its duration
     * @param failure null if the store has answered
     */
    void called(StoreOperation operation, int items, long nanos, @Nullable StoreException failure);
}
