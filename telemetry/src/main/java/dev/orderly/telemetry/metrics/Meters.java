package dev.orderly.telemetry.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.DoubleSupplier;

/** Makes the meters of the catalogue's entries in a registry. The values of labels come in the order of the entry. */
final class Meters {
    private final MeterRegistry registry;
    private final Queue<DoubleSupplier> totals = new ConcurrentLinkedQueue<>();
    private final Map<Metric, MultiGauge> gauges = new ConcurrentHashMap<>();

    Meters(MeterRegistry registry) {
        this.registry = registry;
    }

    Counter counter(Metric metric, String... values) {
        return Counter.builder(metric.meter()).description(metric.help()).tags(tags(metric, values))
                .register(registry);
    }

    /** A counter that is kept elsewhere. Registered once for its values; later calls change nothing. */
    void counter(Metric metric, DoubleSupplier total, String... values) {
        totals.add(total); // the registry refers to it weakly
        FunctionCounter.builder(metric.meter(), total, DoubleSupplier::getAsDouble).description(metric.help())
                .tags(tags(metric, values)).register(registry);
    }

    Timer timer(Metric metric, String... values) {
        return Timer.builder(metric.meter()).description(metric.help()).tags(tags(metric, values))
                .serviceLevelObjectives(metric.kind().buckets().toArray(Duration[]::new)).register(registry);
    }

    /** One value of a gauge. */
    record Row(List<String> labels, double value) {
        Row(double value, String... labels) {
            this(List.of(labels), value);
        }
    }

    /** Replaces all values of a gauge; without rows, the gauge is absent. */
    void gauge(Metric metric, List<Row> rows) {
        gauges.computeIfAbsent(metric, made -> MultiGauge.builder(made.meter()).description(made.help())
                .baseUnit(made.unit()).register(registry))
                .register(rows.stream().map(row -> MultiGauge.Row.of(
                        tags(metric, row.labels().toArray(String[]::new)), row.value())).toList(), true);
    }

    private static Tags tags(Metric metric, String... values) {
        if (metric.labels().size() != values.length) {
            throw new IllegalArgumentException(metric.name() + " has the labels " + metric.labels() + ", not "
                    + Arrays.toString(values));
        }
        Tags tags = Tags.empty();
        for (int i = 0; i < values.length; i++) {
            tags = tags.and(Tag.of(metric.labels().get(i), values[i]));
        }
        return tags;
    }
}
