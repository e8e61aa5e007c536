package dev.orderly.telemetry.metrics;

import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The registry of a server, with the metrics of the JVM, and its page for Prometheus. Thread-safe. */
public final class PrometheusPage implements AutoCloseable {
    /** The format of OpenMetrics 1.0. */
    public static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    /** The text format of Prometheus. */
    public static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS_TYPE = "application/openmetrics-text";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();

    public PrometheusPage() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collections.bindTo(registry);
    }

    /** For {@link OrderlyMetrics}. */
    public PrometheusMeterRegistry registry() {
        return registry;
    }

    /** The format for a scraper with this header: OpenMetrics if it accepts that, otherwise the text format. */
    public static String format(@Nullable String accept) {
        return accept != null && accept.contains(OPEN_METRICS_TYPE) ? OPEN_METRICS : TEXT;
    }

    /** All metrics in a format. */
    public String write(String format) {
        Objects.requireNonNull(format, "format");
        return registry.scrape(format);
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
