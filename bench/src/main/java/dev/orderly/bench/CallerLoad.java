package dev.orderly.bench;

import dev.orderly.bench.measure.Figure;
import dev.orderly.bench.measure.Pace;
import dev.orderly.bench.measure.UsageMeter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** Virtual threads that call one operation in a loop for a limited time. */
final class CallerLoad {
    private CallerLoad() {}

    /** One call of the operation under load. */
    @FunctionalInterface
    interface Operation {
        void run(int caller, long call) throws Exception;
    }

    /** Starts the callers, lets them warm up, then counts the increase of {@code counter} in the window. */
    static Figure run(int callers, Pace pace, LongAdder counter, Operation operation)
            throws InterruptedException, IOException {
        AtomicBoolean stop = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            int caller = i;
            threads.add(Thread.ofVirtual().start(() -> loop(caller, stop, operation)));
        }
        try {
            Thread.currentThread().join(pace.warmUp());
            long before = counter.sum();
            UsageMeter meter = new UsageMeter(null);
            Thread.currentThread().join(pace.window());
            return meter.of(counter.sum() - before);
        } finally {
            stop.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
        }
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
