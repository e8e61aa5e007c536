package dev.orderly.testkit.contract.input;

import dev.orderly.job.store.JobObserver;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.ObservedJobStore;
import dev.orderly.room.store.ObservedRoomStore;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.ObservedCalls;
import dev.orderly.store.StoreException;
import dev.orderly.store.StoreObserver;
import dev.orderly.store.StoreOperation;
import dev.orderly.store.StorePromise;
import org.jspecify.annotations.Nullable;

/** Ports whose calls fail when an answer contradicts a promise, which a server in use counts. */
public final class KeptPromises {
    private static final ObservedCalls CALLS = new ObservedCalls(new StoreObserver() {
        @Override
        public void called(StoreOperation operation, int items, long nanos, @Nullable StoreException failure) {
            // every call may take its time
        }

        @Override
        public void broken(StorePromise promise, String answer) {
            throw new AssertionError(promise + ": " + answer);
        }
    }, () -> 0);

    private KeptPromises() {}

    /** The port of jobs. */
    public static JobStore of(JobStore jobs) {
        return ObservedJobStore.of(jobs, CALLS, JobObserver.NONE);
    }

    /** The port of rooms. */
    public static RoomStore of(RoomStore rooms) {
        return new ObservedRoomStore(rooms, CALLS);
    }
}
