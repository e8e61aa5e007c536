package dev.orderly;

import dev.orderly.access.store.AuditStore;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.history.HistoryStore;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.store.JobObserver;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.TransactionalJobs;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.BackupPort;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.ObservedCalls;
import dev.orderly.store.StoreObserver;
import dev.orderly.time.Time;
import java.util.Objects;

/**
 * One place for all durable and shared state: the ports of a store, opened together and closed together.
 *
 * <p>The code that opens a store closes it; {@link Orderly#close()} closes the store it was given.
 */
public interface Store extends VisitorStore {
    /**
     * Two stores as one: jobs, schedules, access and the history in the first; rooms, presence, the bus, keys with
     * values and the clock in the second. If the second belongs to one process only, all but the rooms are those of the
     * first. Closing it closes both. While the first does not answer, entries of its audit log wait in the second, so
     * that rooms can be operated.
     */
    static Store of(Store jobs, VisitorStore rooms) {
        Objects.requireNonNull(jobs, "jobs");
        Objects.requireNonNull(rooms, "rooms");
        return new MixedStore(jobs, rooms);
    }

    /**
     * A store whose calls about jobs and rooms are observed.
     *
     * @param observer of all calls
     * @param jobs of the answers about jobs
     */
    static Store observed(Store store, StoreObserver observer, JobObserver jobs) {
        Objects.requireNonNull(jobs, "jobs");
        Objects.requireNonNull(observer, "observer");
        return new ObservedStore(store, new ObservedCalls(observer, Time.system()::nanos), jobs);
    }

    JobStore jobs();

    JobViews jobViews();

    /** Pushes and completions inside transactions of the application; refused unless a store documents otherwise. */
    default TransactionalJobs transactionalJobs() {
        return TransactionalJobs.unsupported("the store " + name() + " shares no transaction with its callers");
    }

    JobFinder jobFinder();

    ScheduleStore schedules();

    CredentialStore credentials();

    AuditStore audit();

    /**
     * Keys with values beside the jobs, as durable as jobs are: for settings of operators. Often
     * {@link #keyValues} itself.
     */
    default KeyValueStore settings() {
        return keyValues();
    }

    HistoryStore history();

    /** Backups of jobs and of all that is kept beside them; refused unless a store documents otherwise. */
    default BackupPort backup() {
        return BackupPort.unsupported("The store " + name() + " is backed up by the means of its own server");
    }
}
