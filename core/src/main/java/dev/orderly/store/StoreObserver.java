package dev.orderly.store;

import java.util.Objects;
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

    /**
     * An answer contradicts a promise.
     *
     * @param answer what it says
     */
    default void broken(StorePromise promise, String answer) {
        Objects.requireNonNull(promise, "promise");
        Objects.requireNonNull(answer, "answer");
    }
}
