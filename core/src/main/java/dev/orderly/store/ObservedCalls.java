package dev.orderly.store;

import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Reports calls of a store to an observer. Two readings of the clock are its whole cost, none without an observer. */
public final class ObservedCalls {
    private final StoreObserver observer;
    private final LongSupplier nanos;

    /** @param nanos a monotonic clock */
    public ObservedCalls(StoreObserver observer, LongSupplier nanos) {
        this.observer = observer;
        this.nanos = nanos;
    }

    /** Runs a call, reports it, and returns its answer. Failures pass through. */
    public <T> T call(StoreOperation operation, int items, Supplier<T> call) {
        if (observer.equals(StoreObserver.NONE)) {
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
