package dev.orderly.testkit.resilience;

import dev.orderly.ForwardingStore;
import dev.orderly.Store;
import dev.orderly.job.store.JobStore;
import dev.orderly.job.store.JobViews;
import dev.orderly.room.store.RoomStore;
import dev.orderly.testkit.PortProxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store whose calls a test can count, delay, repeat or fail, by method name or all of them. For answers that depend
 * on the arguments, {@link dev.orderly.testkit.ForwardingJobs} is the typed alternative. Thread-safe.
 */
public final class InterceptedStore extends ForwardingStore {
    private static final int PATIENCE_SECONDS = 30;

    private final Map<String, Around> arounds = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable Runnable> before = new AtomicReference<>();
    private final AtomicReference<@Nullable Runnable> after = new AtomicReference<>();
    private final JobStore jobs;
    private final JobViews views;
    private final RoomStore rooms;

    /** The code around a call. */
    @FunctionalInterface
    public interface Around {
        /**
         * Answers a call.
         *
         * @param arguments of the call
         * @param store performs the call; null for a void method
         */
        Object call(Object[] arguments, Supplier<Object> store);
    }

    public InterceptedStore(Store store) {
        super(store);
        jobs = port(JobStore.class, store.jobs(), (method, arguments, work) -> {
            calls.computeIfAbsent(method, _ -> new AtomicInteger()).incrementAndGet();
            Around around = arounds.get(method);
            return around == null ? work.get() : around.call(arguments, work);
        });
        views = port(JobViews.class, store.jobViews(), (_, _, work) -> work.get());
        rooms = port(RoomStore.class, store.rooms(), (_, _, work) -> work.get());
    }

    // ---- one method of JobStore

    /** Intercepts a method of {@link JobStore}, by its name. */
    public void around(String method, Around around) {
        arounds.put(method, around);
    }

    /** Ends the interception of a method. */
    public void leave(String method) {
        arounds.remove(method);
    }

    /** Delays the answers of a method, after the work was done. */
    public void holdAnswers(String method, CountDownLatch until) {
        around(method, (_, store) -> {
            Object answer = store.get();
            await(until);
            return answer;
        });
    }

    /**
     * Delays the calls of a method, before the work is done.
     *
     * @return a latch that opens once a call waits
     */
    public CountDownLatch holdCalls(String method, CountDownLatch until) {
        CountDownLatch held = new CountDownLatch(1);
        around(method, (_, store) -> {
            held.countDown();
            await(until);
            return store.get();
        });
        return held;
    }

    /** The number of calls of a method of {@link JobStore}. */
    public int calls(String method) {
        return calls.computeIfAbsent(method, _ -> new AtomicInteger()).get();
    }

    /** The number of calls of all methods of {@link JobStore}. */
    public int calls() {
        return calls.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    // ---- every call of jobs, views, rooms, and the check

    /** Runs before every call, such as a wait, or a failure before anything is done. */
    public void before(Runnable step) {
        before.set(step);
    }

    /** Runs after every call, such as a failure that loses its answer. */
    public void after(Runnable step) {
        after.set(step);
    }

    /** Removes {@link #before} and {@link #after}; methods intercepted by {@link #around} stay so. */
    public void heal() {
        before.set(null);
        after.set(null);
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

    @FunctionalInterface
    private interface Step {
        Object call(String method, Object[] arguments, Supplier<Object> work);
    }

    private <T> T port(Class<T> port, T real, Step step) {
        return PortProxy.around(port, real, (method, arguments, work) -> {
            run(before.get());
            Object answer = step.call(method.getName(), arguments, work);
            run(after.get());
            return answer;
        });
    }

    private static void run(@Nullable Runnable step) {
        if (step != null) {
            step.run();
        }
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
}
