package dev.orderly.store;

import dev.orderly.Internal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports calls of a store to an observer, and answers that contradict a promise. Two readings of the clock are its
 * whole cost, none without an observer.
 */
@Internal(to = "dev.orderly")
public final class ObservedCalls {
    private static final Logger LOG = LoggerFactory.getLogger(ObservedCalls.class);

    private final StoreObserver observer;
    private final LongSupplier nanos;
    private final Set<StorePromise> told = ConcurrentHashMap.newKeySet();

    /** @param nanos a monotonic clock */
    public ObservedCalls(StoreObserver observer, LongSupplier nanos) {
        this.observer = observer;
        this.nanos = nanos;
    }

    /** Whether somebody observes. */
    public boolean areObserved() {
        return !observer.equals(StoreObserver.NONE);
    }

    /**
     * Reports a broken promise unless it holds, and logs the first of each kind.
     *
     * @param answer what contradicts the promise
     */
    public void expect(boolean holds, StorePromise promise, Supplier<String> answer) {
        if (!holds) {
            String said = answer.get();
            if (told.add(promise)) {
                LOG.error("An answer of the store contradicts a promise ({}): {}. Report it, with what was done to the"
                        + " store. Further ones are counted only", promise, said);
            }
            observer.broken(promise, said);
        }
    }

    /** Runs a call, reports it, and returns its answer. Failures pass through. */
    public <T> T call(StoreOperation operation, int items, Supplier<T> call) {
        if (!areObserved()) {
            return call.get();
        }
        long began = nanos.getAsLong();
        T answer;
        try {
            answer = call.get();
        } catch (StoreException e) {
            observer.called(operation, items, nanos.getAsLong() - began, e);
            throw e;
        }
        observer.called(operation, items, nanos.getAsLong() - began, null);
        return answer;
    }

    /** As {@link #call}, for a call without an answer. */
    public void run(StoreOperation operation, int items, Runnable call) {
        call(operation, items, () -> {
            call.run();
            return true;
        });
    }
}
