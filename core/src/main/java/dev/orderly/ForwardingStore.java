package dev.orderly;

import dev.orderly.access.store.AuditStore;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.history.HistoryStore;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.job.store.TransactionalJobs;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.room.store.RoomStore;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.BackupPort;
import dev.orderly.store.Bus;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreLoad;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.time.Time;
import java.util.Map;
import java.util.Objects;

/**
 * Base of decorators of a store: forwards every call that a subclass does not override. Only {@link #parts} are its
 * own, as they check {@link #checkWritable}.
 */
public abstract class ForwardingStore implements Store {
    private final Store store;

    protected ForwardingStore(Store store) {
        this.store = Objects.requireNonNull(store, "store");
    }

    /** The inner store. */
    protected final Store inside() {
        return store;
    }

    @Override
    public JobStore jobs() {
        return store.jobs();
    }

    @Override
    public JobViews jobViews() {
        return store.jobViews();
    }

    @Override
    public BackupPort backup() {
        return store.backup();
    }

    @Override
    public TransactionalJobs transactionalJobs() {
        return store.transactionalJobs();
    }

    @Override
    public JobFinder jobFinder() {
        return store.jobFinder();
    }

    @Override
    public RoomStore rooms() {
        return store.rooms();
    }

    @Override
    public ScheduleStore schedules() {
        return store.schedules();
    }

    @Override
    public CredentialStore credentials() {
        return store.credentials();
    }

    @Override
    public AuditStore audit() {
        return store.audit();
    }

    @Override
    public HistoryStore history() {
        return store.history();
    }

    @Override
    public OnlineUserStore presence() {
        return store.presence();
    }

    @Override
    public Bus bus() {
        return store.bus();
    }

    @Override
    public KeyValueStore keyValues() {
        return store.keyValues();
    }

    @Override
    public KeyValueStore settings() {
        return store.settings();
    }

    @Override
    public Time clock(Time own) {
        return store.clock(own);
    }

    @Override
    public Time roomClock(Time own) {
        return store.roomClock(own);
    }

    @Override
    public CopyPort copying() {
        return store.copying();
    }

    @Override
    public void checkWritable() {
        store.checkWritable();
    }

    @Override
    public Map<String, String> facts() {
        return store.facts();
    }

    @Override
    public StoreLoad load() {
        return store.load();
    }

    @Override
    public String name() {
        return store.name();
    }

    @Override
    public void close() {
        store.close();
    }
}
