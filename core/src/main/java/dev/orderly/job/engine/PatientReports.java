package dev.orderly.job.engine;

import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobStore.SettleResult;
import dev.orderly.job.store.Settlement;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.util.List;

/** Reports of single attempts, which wait for a foreign transaction a few seconds at most. Thread-safe. */
final class PatientReports {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration AGAIN = Duration.ofMillis(100);

    private final JobStore store;
    private final Time time;

    PatientReports(JobStore store, Time time) {
        this.store = store;
        this.time = time;
    }

    /**
     * Settles an attempt.
     *
     * @throws StoreException.Unavailable if a foreign transaction still holds the job after these seconds
     */
    SettleResult settle(Settlement settlement) {
        long deadline = time.deadline(PATIENCE);
        while (true) {
            SettleResult result = store.settle(List.of(settlement), time.now()).getFirst();
            if (result != SettleResult.BLOCKED) {
                return result;
            }
            if (time.reached(deadline) || Thread.currentThread().isInterrupted()) {
                throw new StoreException.Unavailable("Job " + settlement.attempt().id()
                        + " is held by an open transaction of an application: report again when it has ended", null);
            }
            time.park(time.deadline(AGAIN));
        }
    }
}
