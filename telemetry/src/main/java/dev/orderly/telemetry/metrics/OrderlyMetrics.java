package dev.orderly.telemetry.metrics;

import dev.orderly.ProgramVersion;
import dev.orderly.job.store.JobObserver;
import dev.orderly.room.RoomObserver;
import dev.orderly.store.StoreObserver;
import dev.orderly.time.Time;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one process in a registry of Micrometer: hand the observers to store, engine and rooms, and
 * {@link #watch} what was opened with them. Thread-safe.
 */
public final class OrderlyMetrics {
    private final Meters meters;
    private final Time time;
    private final BoundedNames queueNames = new BoundedNames();
    private final JobMeters jobs;
    private final StoreMeters store;
    private final RoomMeters rooms;
    private final EdgeMeters edge;
    private final AtomicReference<@Nullable ScrapeGauges> gauges = new AtomicReference<>();

    /** Metrics without gauges yet. */
    public OrderlyMetrics(MeterRegistry registry, Time time) {
        Objects.requireNonNull(time, "time");
        this.meters = new Meters(registry);
        this.time = time;
        this.jobs = new JobMeters(meters, queueNames);
        this.store = new StoreMeters(meters);
        this.rooms = new RoomMeters(meters);
        this.edge = new EdgeMeters(meters);
        meters.gauge(MetricCatalogue.BUILD,
                List.of(new Meters.Row(1, ProgramVersion.current(), Runtime.version().toString())));
    }

    /** Records the jobs of this node. */
    public JobObserver jobs() {
        return jobs;
    }

    /** Records the calls of the store. */
    public StoreObserver store() {
        return store;
    }

    /** Records the visitors of this gate. */
    public RoomObserver rooms() {
        return rooms;
    }

    /** Records the requests of the edge. */
    public EdgeMeters edge() {
        return edge;
    }

    /** Sets what the gauges read. Once. */
    public void watch(Watched watched) {
        gauges.set(new ScrapeGauges(meters, queueNames, watched, time));
    }

    /**
     * Reads the gauges and publishes all values. Scrapes at the same time share one reading of the store for some
     * seconds, and publish one after the other. Blocks for two seconds at most; without an answer of the store, what it
     * would have said is absent.
     *
     * @param publish writes the values of the registry; must not block
     */
    public <T> T scrape(Supplier<T> publish) {
        ScrapeGauges known = gauges.get();
        return known == null ? publish.get() : known.refresh(publish);
    }
}
