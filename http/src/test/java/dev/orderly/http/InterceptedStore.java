package dev.orderly.http;

import dev.orderly.Store;
import dev.orderly.job.JobStore;
import dev.orderly.job.JobViews;
import dev.orderly.room.RoomStore;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.ForwardingStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store that waits or fails in any way on demand, before or after it did what was asked. */
public final class InterceptedStore extends ForwardingStore {
    private final AtomicReference<@Nullable Runnable> before = new AtomicReference<>();
    private final AtomicReference<@Nullable Runnable> after = new AtomicReference<>();

    public InterceptedStore(Store store) {
        super(store);
    }

    public void failBefore(Supplier<RuntimeException> failure) {
        before.set(() -> {
            throw failure.get();
        });
    }

    public void failAfter(Supplier<RuntimeException> failure) {
        after.set(() -> {
            throw failure.get();
        });
    }

    public void beUnavailable() {
        failBefore(() -> new StoreException.Unavailable("jdbc:secret://db is down", null));
    }

    /** Runs before every call, such as a wait. */
    public void before(Runnable step) {
        before.set(step);
    }

    public void heal() {
        before.set(null);
        after.set(null);
    }

    @Override
    public JobStore jobs() {
        return faulty(JobStore.class, inside().jobs());
    }

    @Override
    public JobViews jobViews() {
        return faulty(JobViews.class, inside().jobViews());
    }

    @Override
    public RoomStore rooms() {
        return faulty(RoomStore.class, inside().rooms());
    }

    @Override
    public void checkWritable() {
        run(before.get());
        super.checkWritable();
        run(after.get());
    }

    @Override
    public void close() {
        heal();
        super.close();
    }

    private <T> T faulty(Class<T> port, T real) {
        return port.cast(Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[]{port}, (_, method, args) -> {
            run(before.get());
            try {
                Object answer = method.invoke(real, args);
                run(after.get());
                return answer;
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            }
        }));
    }

    private static void run(@Nullable Runnable step) {
        if (step != null) {
            step.run();
        }
    }
}
