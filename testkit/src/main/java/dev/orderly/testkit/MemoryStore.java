package dev.orderly.testkit;

import dev.orderly.ForwardingStore;
import dev.orderly.Store;
import dev.orderly.access.store.AuditStore;
import dev.orderly.access.store.CredentialStore;
import dev.orderly.history.HistoryStore;
import dev.orderly.job.search.JobFinder;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.live.OnlineUserStore;
import dev.orderly.live.OnlineUserTable;
import dev.orderly.room.RoomName;
import dev.orderly.room.store.RoomStore;
import dev.orderly.schedule.ScheduleName;
import dev.orderly.schedule.ScheduleState;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.Bus;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.StoreException;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.testkit.search.PlainJobFinder;
import dev.orderly.time.Time;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory, for tests. Order, dedupe, retries, fences and upkeep are those of the durable stores, which pass
 * the same contracts. Nothing outlives the process; {@link #crash} simulates its death.
 *
 * <p>Thread-safe; every call of jobs, schedules and rooms holds one lock and waits for nothing else. After {@link
 * #close} or {@link #crash} these calls throw {@link StoreException.Unavailable}: open a new store.
 *
 * <p>Not guaranteed: speed, beyond tests with some hundred thousand jobs.
 */
public final class MemoryStore implements Store {
    private final MemoryTable table;
    private final JobStore jobs;
    private final JobViews views;
    private final JobFinder finder;
    private final MemoryRooms rooms;
    private final MemorySchedules schedules;
    private final MemoryAccess.MemoryCredentials credentials;
    private final MemoryAccess.MemoryAudit audit;
    private final MemoryAccess.MemoryKeyValues values;
    private final MemoryAccess.MemoryHistory history;
    private final OnlineUserTable presence;
    private final Time time;
    private final MemoryBus bus = new MemoryBus();

    /** A store that uses the machine's clock for the liveness of nodes. */
    public MemoryStore() {
        this(Time.system());
    }

    /** @param time clock for the liveness of nodes; only its monotonic part is used */
    public MemoryStore(Time time) {
        this(time, new MemoryTable(time), new Kept(new TreeMap<>(), new TreeMap<>()), null);
    }

    /** Rooms and schedules as another process left them. */
    private record Kept(Map<RoomName, MemoryRoom> rooms, Map<ScheduleName, ScheduleState> schedules) {}

    private MemoryStore(Time time, MemoryTable table, Kept kept, @Nullable MemoryStore before) {
        this.time = time;
        this.table = table;
        credentials = before == null ? new MemoryAccess.MemoryCredentials(table) : before.credentials.in(table);
        audit = before == null ? new MemoryAccess.MemoryAudit(table) : before.audit.in(table);
        values = before == null ? new MemoryAccess.MemoryKeyValues(table) : before.values.in(table);
        history = before == null ? new MemoryAccess.MemoryHistory(table) : before.history.in(table);
        presence = new OnlineUserTable(time);
        jobs = new MemoryJobs(table);
        views = new MemoryViews(table);
        finder = new PlainJobFinder(views, key -> table.locked(() -> table.keys.find(key)),
                id -> table.locked(() -> Optional.ofNullable(table.find(id)).filter(job -> job.halts).isPresent()));
        rooms = new MemoryRooms(table, kept.rooms);
        schedules = new MemorySchedules(table, jobs, kept.schedules);
    }

    @Override
    public JobStore jobs() {
        return jobs;
    }

    @Override
    public JobViews jobViews() {
        return views;
    }

    @Override
    public JobFinder jobFinder() {
        return finder;
    }

    @Override
    public RoomStore rooms() {
        return rooms;
    }

    @Override
    public ScheduleStore schedules() {
        return schedules;
    }

    @Override
    public CredentialStore credentials() {
        return credentials;
    }

    @Override
    public AuditStore audit() {
        return audit;
    }

    @Override
    public HistoryStore history() {
        return history;
    }

    @Override
    public OnlineUserStore presence() {
        return presence;
    }

    @Override
    public Bus bus() {
        return bus;
    }

    @Override
    public KeyValueStore keyValues() {
        return values;
    }

    @Override
    public Time clock(Time own) {
        Objects.requireNonNull(own, "own");
        return own;
    }

    @Override
    public CopyPort copying() {
        return CopyPort.NONE;
    }

    @Override
    public void checkWritable() {
        var _ = table.locked(() -> true); // throws once the store is closed
    }

    @Override
    public String name() {
        return "memory";
    }

    /** The store of another node: the same data, and another end of the bus. Closing it closes only this end. */
    public Store beside() {
        return new Beside(this, bus.another());
    }

    /**
     * Simulates the death of the process, and opens the same data as the next process would find it. Every acknowledged
     * change is there. Heartbeats and the progress of running jobs are lost. Claimed jobs stay claimed by
     * dead nodes until the next upkeep gives them back and counts a crash. Rooms lose presence, gates and the
     * governor's lease.
     *
     * @return the store of the next process; this one is closed
     */
    public MemoryStore crash() {
        return new MemoryStore(time, table.survivors(), new Kept(rooms.kept(), schedules.kept()), this);
    }

    @Override
    public void close() {
        table.close();
        bus.leave();
    }

    private static final class Beside extends ForwardingStore {
        private final MemoryBus bus;

        Beside(Store store, MemoryBus bus) {
            super(store);
            this.bus = bus;
        }

        @Override
        public Bus bus() {
            return bus;
        }

        @Override
        public void close() {
            bus.leave();
        }
    }
}
