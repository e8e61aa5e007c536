package dev.orderly.testkit.jobsim;

import dev.orderly.ForwardingStore;
import dev.orderly.Store;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.Bus;
import dev.orderly.store.KeyValueStore;
import dev.orderly.store.copy.CopyPort;
import dev.orderly.testkit.PortProxy;
import dev.orderly.time.Time;
import java.time.Instant;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/** The store as a node sees it, over its {@link SimulatedLink}. */
final class RemoteStore extends ForwardingStore {
    private final JobStore jobs;
    private final JobViews views;
    private final ScheduleStore schedules;
    private final KeyValueStore settings;
    private final SimulatedLink link;
    private final Bus bus;
    private final Time time;

    /** @param time the clock of the store, which all nodes share */
    RemoteStore(Store store, SimulatedLink link, Bus bus, Time time) {
        super(store);
        this.jobs = port(JobStore.class, store.jobs(), link);
        this.views = port(JobViews.class, store.jobViews(), link);
        this.schedules = port(ScheduleStore.class, store.schedules(), link);
        this.settings = port(KeyValueStore.class, store.settings(), link);
        this.link = link;
        this.bus = bus;
        this.time = time;
    }

    private static <T> T port(Class<T> port, T real, SimulatedLink link) {
        return PortProxy.around(port, real, (method, arguments, work) -> method.getReturnType() == BatchStore.class
                ? port(BatchStore.class, (BatchStore) work.get(), link)
                : link.call(method.getName(), arguments, work));
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
    public ScheduleStore schedules() {
        return schedules;
    }

    @Override
    public KeyValueStore settings() {
        return settings;
    }

    /** No copy is under way: the question is asked once, when a process opens its store, which is not simulated. */
    @Override
    public CopyPort copying() {
        return CopyPort.NONE;
    }

    @Override
    public void checkWritable() {
        link.<@Nullable Object>call("checkWritable", new Object[0], () -> {
            inside().checkWritable();
            return null;
        });
    }

    @Override
    public Bus bus() {
        return bus;
    }

    @Override
    public Time clock(Time own) {
        return new StoreClock(own, time);
    }

    @Override
    public void close() {}

    /** The moments of the store, without an error; all else of the node's machine. */
    private record StoreClock(Time own, Time store) implements Time {
        @Override
        public Instant now() {
            return store.now();
        }

        @Override
        public Instant wall() {
            return own.wall();
        }

        @Override
        public long nanos() {
            return own.nanos();
        }

        @Override
        public void park(long deadline) {
            own.park(deadline);
        }

        @Override
        public Time machine() {
            return own.machine();
        }

        @Override
        public ThreadFactory threads(String name) {
            return own.threads(name);
        }
    }
}
