package dev.orderly.spring.observe;

import dev.orderly.Orderly;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueView;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Gauges of the queues that are declared in this process, over all nodes: {@code orderly.jobs} by state and
 * {@code orderly.jobs.oldest.age}. The store is read once in five seconds; while it does not answer they are NaN.
 */
public final class QueueGauges implements MeterBinder {
    private static final Duration AGE_MAX = Duration.ofSeconds(5);
    private static final Map<String, ToDoubleFunction<QueueView>> STATES = Map.of("waiting", QueueView::waiting,
            "delayed", QueueView::delayed, "running", view -> view.running() - view.leased(), "leased",
            QueueView::leased, "dead", QueueView::dead, "done", QueueView::done);

    private final Orderly orderly;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private Map<QueueName, QueueView> known = Map.of();
    private long freshUntil;
    private boolean isRead;

    public QueueGauges(Orderly orderly, Time time) {
        this.orderly = orderly;
        this.time = time;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        views().keySet().forEach(queue -> {
            STATES.forEach((state, value) -> Gauge.builder("orderly.jobs", () -> value(queue, value))
                    .tag("queue", queue.value()).tag("state", state).register(registry));
            Gauge.builder("orderly.jobs.oldest.age", () -> value(queue, this::age)).baseUnit("seconds")
                    .tag("queue", queue.value()).register(registry);
        });
    }

    private double age(QueueView view) {
        return view.oldestPushedAt() == null
                ? 0
                : Duration.between(view.oldestPushedAt(), orderly.jobs().now()).toMillis() / 1_000.0;
    }

    private double value(QueueName queue, ToDoubleFunction<QueueView> value) {
        QueueView view = views().get(queue);
        return view == null ? Double.NaN : value.applyAsDouble(view);
    }

    private Map<QueueName, QueueView> views() {
        lock.lock();
        try {
            if (isRead && !time.reached(freshUntil)) {
                return known;
            }
        } finally {
            lock.unlock();
        }
        Map<QueueName, QueueView> read = read();
        lock.lock();
        try {
            known = read;
            isRead = true;
            freshUntil = time.deadline(AGE_MAX);
        } finally {
            lock.unlock();
        }
        return read;
    }

    private Map<QueueName, QueueView> read() {
        try {
            return orderly.jobs().queues().stream().filter(status -> status.options() != null)
                    .map(QueueStatus::view).collect(Collectors.toMap(QueueView::queue, view -> view));
        } catch (StoreException e) {
            return Map.of();
        }
    }
}
