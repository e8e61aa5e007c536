package dev.orderly.testkit;

import dev.orderly.Store;
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
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.util.Map;
import java.util.TreeMap;

/**
 * A store in memory, for tests: same order, dedupe, retries, fencing and upkeep as the durable ones, since it is the
 * model they are held against. Nothing outlives the process; {@link #crash} stands in for its death.
 *
 * <p>Thread-safe; every call holds one lock and returns without waiting for anything else. After {@link #close} or
 * {@link #crash} every call throws {@link StoreException.Unavailable}: open a new one.
 *
 * <p>Not guaranteed: speed, beyond tests with some hundred thousand jobs.
 */
public final class MemoryStore implements Store {
    private final MemoryTable table;
    private final JobStore jobs;
    private final JobViews views;
    private final MemoryRooms rooms;
    private final MemorySchedules schedules;
    private final OnlineUserTable presence;
    private final Time time;
    private final MemoryBus bus = new MemoryBus();

    /** A store that judges by the machine's clock which nodes are alive. */
    public MemoryStore() {
        this(Time.system());
    }

    /** @param time by whose monotonic clock the store judges which nodes are alive */
    public MemoryStore(Time time) {
        this(time, new MemoryTable(time), new TreeMap<>(), new TreeMap<>());
    }

    private MemoryStore(Time time, MemoryTable table, Map<RoomName, MemoryRoom> kept,
            Map<ScheduleName, ScheduleState> schedulesKept) {
        this.time = time;
        this.table = table;
        presence = new OnlineUserTable(time);
        jobs = new MemoryJobs(table);
        views = new MemoryViews(table);
        rooms = new MemoryRooms(table, kept);
        schedules = new MemorySchedules(table, jobs, schedulesKept);
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
    public RoomStore rooms() {
        return rooms;
    }

    @Override
    public ScheduleStore schedules() {
        return schedules;
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
    public Time clock(Time own) {
        return own;
    }

    @Override
    public void checkWritable() {
        var _ = table.locked(() -> true); // memory is, until it is closed
    }

    @Override
    public String name() {
        return "memory";
    }

    /** The same store as another node has it: the same data, and another end of the bus. Closing it ends that only. */
    public Store beside() {
        return new Beside(this, bus.another());
    }

    /**
     * Kills the process that has this store open, and opens the same data as the next process would find it: everything
     * that was acknowledged is there; heartbeats, progress and cancel requests of running jobs are forgotten; claimed
     * jobs stay claimed by nodes that are dead, until the next upkeep gives them back with a crash counted. Of rooms,
     * who is present and who governs is forgotten.
     *
     * @return the store that the next process works with; this one is closed
     */
    public MemoryStore crash() {
        return new MemoryStore(time, table.survivors(), rooms.kept(), schedules.kept());
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
