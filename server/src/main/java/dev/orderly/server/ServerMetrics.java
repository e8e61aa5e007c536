package dev.orderly.server;

import dev.orderly.Store;
import dev.orderly.config.ListenAddress;
import dev.orderly.http.MetricsServer;
import dev.orderly.http.health.Readiness;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.observe.MetricsPage;
import dev.orderly.http.observe.TrafficObserver;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.job.store.JobObserver;
import dev.orderly.room.RoomObserver;
import dev.orderly.store.StoreObserver;
import dev.orderly.telemetry.metrics.EdgeMeters;
import dev.orderly.telemetry.metrics.OrderlyMetrics;
import dev.orderly.telemetry.metrics.PrometheusPage;
import dev.orderly.telemetry.metrics.Watched;
import dev.orderly.time.Time;
import dev.orderly.web.route.RequestLabel;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The metrics of a server, and the listener that publishes them. Without an address nothing is observed. */
final class ServerMetrics implements AutoCloseable {
    private final @Nullable Collected collected;
    private final AtomicReference<@Nullable MetricsServer> server = new AtomicReference<>();

    /** What is collected, and the address that publishes it. */
    private record Collected(ListenAddress address, List<String> hosts, PrometheusPage page, OrderlyMetrics metrics) {
        MetricsPage.Page scrape(@Nullable String accept) {
            String format = PrometheusPage.format(accept);
            return new MetricsPage.Page(format, metrics.scrape(() -> page.write(format)));
        }
    }

    /**
     * The metrics of a configuration.
     *
     * @param address null for no metrics
     * @param hosts further names under which they are served
     */
    ServerMetrics(@Nullable ListenAddress address, List<String> hosts) {
        if (address == null) {
            collected = null;
        } else {
            PrometheusPage page = new PrometheusPage();
            collected = new Collected(address, hosts, page, new OrderlyMetrics(page.registry(), Time.system()));
        }
    }

    /** The store, observed by the metrics and by another observer. */
    Store observed(Store store, JobObserver other) {
        if (collected == null) {
            return other.equals(JobObserver.NONE) ? store : Store.observed(store, StoreObserver.NONE, other);
        }
        return Store.observed(store, collected.metrics.store(), jobs(other));
    }

    /** The options, with an observer of runs. */
    EngineOptions observed(EngineOptions options, JobObserver other) {
        return options.withObserver(jobs(other));
    }

    private JobObserver jobs(JobObserver other) {
        if (collected == null) {
            return other;
        }
        JobObserver own = collected.metrics.jobs();
        return other.equals(JobObserver.NONE) ? own : JobObserver.of(List.of(own, other));
    }

    /** An observer of rooms that also tells another. */
    RoomObserver rooms(RoomObserver other) {
        if (collected == null) {
            return other;
        }
        RoomObserver own = collected.metrics.rooms();
        return other.equals(RoomObserver.NONE) ? own : RoomObserver.of(List.of(own, other));
    }

    TrafficObserver traffic() {
        return collected == null ? TrafficObserver.NONE : new Traffic(collected.metrics.edge());
    }

    /** Sets what the gauges read, and listens. Blocks until connections are accepted. */
    void start(Watched watched, Readiness readiness) {
        if (collected != null) {
            collected.metrics.watch(watched);
            ListenAddress address = collected.address;
            MetricsServer started = new MetricsServer(new BindAddress(address.host(), address.port()),
                    collected.hosts, collected::scrape, readiness);
            server.set(started);
            started.start();
        }
    }

    /**
     * The port of the metrics.
     *
     * @throws IllegalStateException if none is configured
     */
    int port() {
        MetricsServer started = server.get();
        if (started == null) {
            throw new IllegalStateException("No metrics are configured");
        }
        return started.port();
    }

    @Override
    public void close() {
        MetricsServer started = server.getAndSet(null);
        if (started != null) {
            started.close();
        }
        if (collected != null) {
            collected.page.close();
        }
    }

    /** The meters of each kind of request. */
    private static final class Traffic implements TrafficObserver {
        private final EdgeMeters meters;
        private final Map<RequestLabel, EdgeMeters.OfClass> classes = new ConcurrentHashMap<>();

        Traffic(EdgeMeters meters) {
            this.meters = meters;
        }

        @Override
        public void answered(RequestLabel label, int status, long own, long origin) {
            EdgeMeters.OfClass known = classes.get(label);
            (known == null ? classes.computeIfAbsent(label, this::made) : known).answered(status, own, origin);
        }

        private EdgeMeters.OfClass made(RequestLabel label) {
            return meters.of(label.room(), label.kind().name().toLowerCase(Locale.ROOT));
        }

        @Override
        public void loopDelayed(long nanos) {
            meters.loopDelayed(nanos);
        }
    }
}
