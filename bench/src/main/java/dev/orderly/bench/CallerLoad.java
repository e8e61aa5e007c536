package dev.orderly.bench;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** Virtual threads that call one operation in a loop for a limited time. */
final class CallerLoad {
    private static final Duration WARM_UP = Duration.ofMillis(1_500);

    private CallerLoad() {}

    /** One call of the operation under load. */
    @FunctionalInterface
    interface Operation {
        void run(int caller, long call) throws Exception;
    }

    /** Starts the callers, lets them warm up, then counts the increase of {@code counter} in the window; per second. */
    static double perSecond(int callers, Duration window, LongAdder counter, Operation operation)
            throws InterruptedException {
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int caller = i;
            threads.add(Thread.ofVirtual().start(() -> loop(caller, stop, operation)));
        }
        try {
            Thread.currentThread().join(WARM_UP);
            return count(window, counter);
        } finally {
            stop.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private static double count(Duration window, LongAdder counter) throws InterruptedException {
        Time time = Time.system();
        long before = counter.sum();
        long start = time.nanos();
        Thread.currentThread().join(window);
        long gained = counter.sum() - before;
        return gained * 1e9 / (time.nanos() - start);
    }

    private static void loop(int caller, AtomicBoolean stop, Operation operation) {
        for (long call = 0; !stop.get(); call++) {
            try {
                operation.run(caller, call);
            } catch (Exception e) {
                throw new IllegalStateException("The load failed", e);
            }
        }
    }
}
