package dev.orderly.telemetry.metrics;

import dev.orderly.job.QueueView;
import dev.orderly.job.engine.QueueStatus;
import dev.orderly.job.store.BatchStore;
import dev.orderly.job.store.KeyCounts;
import dev.orderly.job.store.LimitView;
import dev.orderly.node.NodeStatus;
import dev.orderly.schedule.ScheduleView;
import dev.orderly.store.StoreLoad;
import dev.orderly.store.StorePart;
import dev.orderly.store.watch.StoreWatch;
import dev.orderly.telemetry.metrics.Meters.Row;
import dev.orderly.telemetry.metrics.Watched.EdgeReading;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Gauges of queues, store, edge, users and schedules: read for a scrape, from the views that the API shows. */
final class ScrapeGauges {
    private final Meters meters;
    private final BoundedNames queueNames;
    private final BoundedNames limitNames = new BoundedNames();
    private final BoundedNames scheduleNames = new BoundedNames();
    private final Watched watched;
    private final @Nullable RoomGauges rooms;
    private final @Nullable Supplier<Watched.EdgeReading> edge;
    private final SharedReading<StoreReading> views;
    private final ReentrantLock refreshing = new ReentrantLock();

    /** The views of the store, read together. */
    private record StoreReading(List<QueueStatus> queues, List<LimitView> limits, List<KeyCounts> keys,
            List<ScheduleView> schedules, Instant at) {}

    ScrapeGauges(Meters meters, BoundedNames queueNames, Watched watched, Time time) {
        this.meters = meters;
        this.queueNames = queueNames;
        this.watched = watched;
        this.rooms = watched.rooms() == null ? null : new RoomGauges(meters, watched.rooms());
        this.views = new SharedReading<>(() -> new StoreReading(watched.orderly().jobs().queues(),
                watched.orderly().jobs().limits(), watched.orderly().engines().jobs().keyCounts(),
                watched.orderly().schedules().views(),
                watched.orderly().jobs().now()), time);
        Supplier<Watched.EdgeReading> read = watched.edge();
        this.edge = read;
        if (read != null) {
            meters.counter(MetricCatalogue.CONNECTIONS_REFUSED, () -> (double) read.get().refused());
        }
        if (watched.store().get().writer() != null) {
            meters.counter(MetricCatalogue.WRITER_COMMITS, () -> writer(StoreLoad.Writer::commits));
            meters.counter(MetricCatalogue.WRITER_REQUESTS, () -> writer(StoreLoad.Writer::requests));
        }
    }

    private double writer(Function<StoreLoad.Writer, Long> part) {
        StoreLoad.Writer writer = watched.store().get().writer();
        return writer == null ? 0 : part.apply(writer).doubleValue();
    }

    /**
     * Reads all gauges, then publishes them before another scrape reads. Blocks for two seconds at most, while the
     * store does not answer.
     */
    <T> T refresh(Supplier<T> publish) {
        Optional<StoreReading> reading = views.read();
        refreshing.lock();
        try {
            parts(reading.isPresent());
            queues(reading.map(StoreReading::queues).orElse(List.of()), watched.orderly().jobs().now());
            limits(reading.map(StoreReading::limits).orElse(List.of()));
            keys(reading.map(StoreReading::keys).orElse(List.of()));
            batches(watched.orderly().engines().jobs().batches().left());
            schedules(reading.orElse(null));
            store(watched.store().get());
            if (edge != null) {
                edge(edge.get());
            }
            if (rooms != null) {
                rooms.refresh(watched.orderly().jobs().now());
            }
            one(MetricCatalogue.LIVE, watched.orderly().engines().live().connections());
            nodes(watched.orderly().nodes());
            one(MetricCatalogue.BEAT_AGE, seconds(watched.orderly().engines().sinceBeat()));
            return publish.get();
        } finally {
            refreshing.unlock();
        }
    }

    private void parts(boolean read) {
        StoreWatch stores = watched.orderly().stores();
        List<StorePart> away = stores.outages().stream().map(StoreWatch.Outage::part).toList();
        meters.gauge(MetricCatalogue.STORE_UP, stores.parts().stream().map(part -> {
            boolean up = !away.contains(part) && (read || part.content() == StorePart.Content.ROOMS);
            return new Row(up ? 1 : 0, part.content().name().toLowerCase(Locale.ROOT));
        }).toList());
    }

    private void one(Metric metric, double value) {
        meters.gauge(metric, List.of(new Row(value)));
    }

    private void queues(List<QueueStatus> queues, Instant now) {
        states(queues);
        folded(MetricCatalogue.OLDEST, queues, queue -> age(queue.view(), now), Math::max);
        folded(MetricCatalogue.HALTED, queues, queue -> (double) queue.view().halted(), Double::sum);
        folded(MetricCatalogue.PAUSED, queues, queue -> queue.view().paused() ? 1.0 : 0.0, Math::max);
        folded(MetricCatalogue.DRAIN_TIME, queues,
                queue -> queue.drainTime() == null ? null : seconds(queue.drainTime()), Math::max);
        folded(MetricCatalogue.BUSY, queues, queue -> handled(queue, QueueStatus.Load::busy), Double::sum);
        folded(MetricCatalogue.HANDLERS, queues, queue -> handled(queue, QueueStatus.Load::concurrency), Double::sum);
    }

    private void limits(List<LimitView> limits) {
        limits(MetricCatalogue.LIMIT_RUNNING, limits, LimitView::running);
        limits(MetricCatalogue.LIMIT_CONCURRENCY, limits, limit -> limit.limit().concurrency());
        limits(MetricCatalogue.LIMIT_FULL, limits, limit -> limit.isFull() ? 1 : 0);
    }

    private void keys(List<KeyCounts> keys) {
        Map<List<String>, Double> sums = byLabels();
        for (KeyCounts each : keys) {
            String name = queueNames.of(each.queue().value());
            Map.of("ready", each.ready(), "held", each.held(), "paused", each.paused())
                    .forEach((state, count) -> sums.merge(List.of(name, state), (double) count, Double::sum));
        }
        meters.gauge(MetricCatalogue.KEYS, rows(sums));
    }

    private void batches(BatchStore.Finished left) {
        meters.gauge(MetricCatalogue.BATCHES,
                List.of(new Row(left.open(), "open"), new Row(left.closed(), "closed")));
    }

    private void limits(Metric metric, List<LimitView> limits, ToIntFunction<LimitView> value) {
        Map<List<String>, Double> values = byLabels();
        limits.stream().filter(limit -> !limit.name().isOfKeys())
                .forEach(limit -> values.merge(List.of(limitNames.of(limit.name().value())),
                        (double) value.applyAsInt(limit), Double::sum));
        meters.gauge(metric, rows(values));
    }

    private @Nullable Double handled(QueueStatus queue, Function<QueueStatus.Load, Integer> part) {
        QueueStatus.Load load = watched.orderly().engines().jobs().load(queue.view().queue());
        return load.handled() ? (double) part.apply(load) : null;
    }

    private void states(List<QueueStatus> queues) {
        Map<List<String>, Double> sums = byLabels();
        for (QueueStatus status : queues) {
            QueueView view = status.view();
            String name = queueNames.of(view.queue().value());
            Map.of("waiting", view.waiting(), "delayed", view.delayed(), "running", view.running(), "leased",
                    view.leased(), "dead", view.dead(), "done", view.done())
                    .forEach((state, count) -> sums.merge(List.of(name, state), (double) count, Double::sum));
        }
        meters.gauge(MetricCatalogue.JOBS, rows(sums));
    }

    /** An empty map of values by their labels, in the order of the labels. */
    private static Map<List<String>, Double> byLabels() {
        return new TreeMap<>(Comparator.comparing(List::toString));
    }

    /** A gauge with a value for each queue; queues beyond the bound of names are joined. */
    private void folded(Metric metric, List<QueueStatus> queues, Function<QueueStatus, @Nullable Double> value,
            BinaryOperator<Double> join) {
        Map<List<String>, Double> values = byLabels();
        for (QueueStatus queue : queues) {
            Double each = value.apply(queue);
            if (each != null) {
                values.merge(List.of(queueNames.of(queue.view().queue().value())), each, join);
            }
        }
        meters.gauge(metric, rows(values));
    }

    private static List<Row> rows(Map<List<String>, Double> values) {
        List<Row> rows = new ArrayList<>();
        values.forEach((labels, value) -> rows.add(new Row(labels, value)));
        return rows;
    }

    private static double age(QueueView queue, Instant now) {
        Instant oldest = queue.oldestPushedAt();
        return oldest == null ? 0 : Math.max(0, seconds(Duration.between(oldest, now)));
    }

    private void schedules(@Nullable StoreReading reading) {
        Map<List<String>, Double> lags = byLabels();
        if (reading != null) {
            for (ScheduleView schedule : reading.schedules()) {
                Instant next = schedule.next();
                double lag = next == null ? 0 : Math.max(0, seconds(Duration.between(next, reading.at())));
                lags.merge(List.of(scheduleNames.of(schedule.name().toString())), lag, Math::max);
            }
        }
        meters.gauge(MetricCatalogue.SCHEDULE_LAG, rows(lags));
        Map<List<String>, Double> undeclared = byLabels();
        lags.keySet().forEach(labels -> undeclared.put(labels, 0.0));
        watched.orderly().engines().schedules().undeclaredLately()
                .forEach(name -> undeclared.merge(List.of(scheduleNames.of(name.value())), 1.0, Double::sum));
        meters.gauge(MetricCatalogue.UNDECLARED, rows(undeclared));
    }

    private void nodes(List<NodeStatus> nodes) {
        long silent = nodes.stream().filter(NodeStatus::silent).count();
        meters.gauge(MetricCatalogue.NODES,
                List.of(new Row((double) (nodes.size() - silent), "live"), new Row((double) silent, "silent")));
    }

    private void store(StoreLoad load) {
        StoreLoad.Pool pool = load.pool();
        if (pool != null) {
            meters.gauge(MetricCatalogue.POOL, List.of(new Row(pool.busy(), "busy"), new Row(pool.idle(), "idle")));
            one(MetricCatalogue.POOL_WAITING, pool.waiting());
        }
        if (load.deadRows() != null) {
            one(MetricCatalogue.DEAD_ROWS, load.deadRows());
        }
        if (load.writer() != null) {
            one(MetricCatalogue.WRITER_WAITING, load.writer().waiting());
        }
    }

    private void edge(EdgeReading edge) {
        one(MetricCatalogue.CONNECTIONS, edge.connections());
        one(MetricCatalogue.UNDER_WAY, edge.requests());
        one(MetricCatalogue.BODIES, (double) edge.bodyBytes());
        one(MetricCatalogue.STREAMS, edge.streams());
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
