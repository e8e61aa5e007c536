package dev.orderly.telemetry.metrics;

import dev.orderly.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reading of something slow that all askers share: one reading at a time, whose result serves for some seconds. An
 * asker waits for it a bounded time. Thread-safe.
 *
 * @param <T> the result
 */
final class SharedReading<T> {
    private static final Logger LOG = LoggerFactory.getLogger(SharedReading.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration SERVES = Duration.ofSeconds(4);

    private final Supplier<T> source;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private CompletableFuture<T> last = new CompletableFuture<>();
    private long until;

    SharedReading(Supplier<T> source, Time time) {
        this.source = source;
        this.time = time;
        this.until = time.nanos();
        last.cancel(false);
    }

    /** The reading of the last seconds; empty if it failed, or is not there in time. Blocks for 2 s at most. */
    Optional<T> read() {
        CompletableFuture<T> reading = current();
        try {
            return Optional.of(reading.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException | ExecutionException e) {
            LOG.debug("The store was not read for a scrape", e);
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private CompletableFuture<T> current() {
        lock.lock();
        try {
            if (last.isDone() && time.reached(until)) {
                CompletableFuture<T> next = new CompletableFuture<>();
                last = next;
                until = time.deadline(SERVES);
                Thread.ofVirtual().name("orderly-metrics-reading").start(() -> {
                    try {
                        next.complete(source.get());
                    } catch (Throwable e) { // any failure is that of the reading
                        next.completeExceptionally(e);
                    }
                });
            }
            return last;
        } finally {
            lock.unlock();
        }
    }
}
