package dev.orderly.testkit.weather;

import dev.orderly.Store;
import dev.orderly.job.JobStore;
import dev.orderly.testkit.ForwardingStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A store whose calls about jobs a test takes into its own hands: holds up, repeats, or lets fail. Thread-safe. */
public final class InterceptedStore extends ForwardingStore {
    private static final int PATIENCE_SECONDS = 30;

    private final Map<String, Around> arounds = new ConcurrentHashMap<>();
    private final JobStore jobs;

    /** What happens around a call. */
    @FunctionalInterface
    public interface Around {
        /**
         * The answer of the call.
         *
         * @param arguments of the call
         * @param store does the work; null for an answer of nothing
         */
        Object call(Object[] arguments, Supplier<Object> store);
    }

    public InterceptedStore(Store store) {
        super(store);
        JobStore real = store.jobs();
        jobs = (JobStore) Proxy.newProxyInstance(JobStore.class.getClassLoader(), new Class<?>[]{JobStore.class},
                (_, method, arguments) -> {
                    Around around = arounds.get(method.getName());
                    return around == null
                            ? invoke(real, method, arguments)
                            : around.call(arguments, () -> invoke(real, method, arguments));
                });
    }

    /** Takes a method of {@link JobStore} into the test's hands, by its name. */
    public void around(String method, Around around) {
        arounds.put(method, around);
    }

    /** Lets a method be as it is. */
    public void leave(String method) {
        arounds.remove(method);
    }

    /** Lets the answers of a method wait, after the work was done. */
    public void holdAnswers(String method, CountDownLatch until) {
        around(method, (_, store) -> {
            Object answer = store.get();
            await(until);
            return answer;
        });
    }

    /** Lets the calls of a method wait, before the work is done. */
    public void holdCalls(String method, CountDownLatch until) {
        around(method, (_, store) -> {
            await(until);
            return store.get();
        });
    }

    private static void await(CountDownLatch until) {
        try {
            if (!until.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Held up for " + PATIENCE_SECONDS + " s: the test forgot to let go");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Object invoke(JobStore real, Method method, Object[] arguments) {
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
}
