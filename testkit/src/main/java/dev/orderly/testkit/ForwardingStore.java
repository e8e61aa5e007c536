package dev.orderly.testkit;

import dev.orderly.Store;
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
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Base of decorators of a store: forwards every call that a subclass does not override. */
public abstract class ForwardingStore implements Store {
    private final Store store;

    protected ForwardingStore(Store store) {
        this.store = store;
    }

    /** The inner store. */
    protected final Store inside() {
        return store;
    }

    /** What happens around the calls of a port. */
    @FunctionalInterface
    protected interface Around {
        /**
         * Answers a call.
         *
         * @param arguments of the call; none for a method without parameters
         * @param work performs the call; null for a void method
         */
        Object call(Method method, Object[] arguments, Supplier<Object> work);
    }

    /** A port whose calls pass through {@code around}. */
    protected static <T> T around(Class<T> port, T real, Around around) {
        Objects.requireNonNull(port, "port");
        Objects.requireNonNull(real, "real");
        Objects.requireNonNull(around, "around");
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[]{port},
                (_, method, arguments) -> around.call(method, arguments == null ? new Object[0] : arguments,
                        () -> invoke(real, method, arguments))));
    }

    private static Object invoke(Object real, Method method, Object[] arguments) {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
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
        Objects.requireNonNull(own, "own");
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
