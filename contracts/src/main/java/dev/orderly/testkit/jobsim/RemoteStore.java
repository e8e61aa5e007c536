package dev.orderly.testkit.jobsim;

import dev.orderly.Store;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.schedule.ScheduleStore;
import dev.orderly.store.Bus;
import dev.orderly.store.KeyValueStore;
import dev.orderly.testkit.ForwardingStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** The store as a node sees it, over its {@link Link}. */
final class RemoteStore extends ForwardingStore {
    private final JobStore jobs;
    private final JobViews views;
    private final ScheduleStore schedules;
    private final KeyValueStore settings;
    private final Bus bus;

    RemoteStore(Store store, Link link, Bus bus) {
        super(store);
        this.jobs = port(JobStore.class, store.jobs(), link);
        this.views = port(JobViews.class, store.jobViews(), link);
        this.schedules = port(ScheduleStore.class, store.schedules(), link);
        this.settings = port(KeyValueStore.class, store.settings(), link);
        this.bus = bus;
    }

    private static <T> T port(Class<T> port, T real, Link link) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[]{port},
                (_, method, arguments) -> link.call(method.getName(), () -> invoke(real, method, arguments))));
    }

    private static Object invoke(Object real, Method method, Object[] arguments) {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
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

    @Override
    public Bus bus() {
        return bus;
    }

    @Override
    public void close() {}
}
