package dev.orderly.telemetry.trace;

import dev.orderly.time.Time;
import dev.orderly.trace.Tracer;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporterBuilder;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.export.HttpSenderProvider;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Export of spans by OTLP over HTTP, as protobuf. At most {@value #QUEUE} ended spans wait; further ones are dropped,
 * so that a collector that is slow or away costs neither time nor memory.
 */
public final class TraceExport implements AutoCloseable {
    static final int QUEUE = 4_096;

    private static final int EXPORT_MAX = 512;
    private static final Duration DELAY = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration STOP = Duration.ofSeconds(5);
    /** The exporter reports each failure to the JDK's log; {@link JdkHttpSender} reports it to that of this program. */
    private static final Logger EXPORTER = Logger.getLogger("io.opentelemetry.exporter");

    private final SdkTracerProvider provider;
    private final OpenTelemetryTracer tracer;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * The destination and extent of an export. Applications begin with {@link #to}: the constructor may get more
     * parameters.
     *
     * @param url of the collector, such as {@code http://127.0.0.1:4318/v1/traces}
     * @param share of the traces that is recorded, 0 to 1
     * @param headers of each request, such as an API key; never logged
     * @param service the name under which spans are shown
     */
    public record Settings(URI url, double share, Map<String, String> headers, String service) {
        public Settings {
            Objects.requireNonNull(url, "url");
            Objects.requireNonNull(service, "service");
            Objects.requireNonNull(headers, "headers");
            headers = Map.copyOf(headers);
        }

        /** All traces, no headers, the service {@code orderly}. */
        public static Settings to(URI url) {
            return new Settings(url, 1, Map.of(), "orderly");
        }

        public Settings withShare(double value) {
            return new Settings(url, value, headers, service);
        }

        public Settings withHeaders(Map<String, String> value) {
            Objects.requireNonNull(value, "value");
            return new Settings(url, share, value, service);
        }

        public Settings withService(String value) {
            Objects.requireNonNull(value, "value");
            return new Settings(url, share, headers, value);
        }

        @Override
        public String toString() {
            return "Settings[" + url.getScheme() + "://" + url.getAuthority() + ", " + share + "]";
        }
    }

    /**
     * Starts the export. The collector need not answer yet.
     *
     * @param instance name of this process, unique among those of the service
     */
    public TraceExport(Settings settings, String instance, Time time) {
        Objects.requireNonNull(instance, "instance");
        EXPORTER.setLevel(Level.OFF);
        OtlpHttpSpanExporterBuilder exporter = OtlpHttpSpanExporter.builder().setEndpoint(settings.url().toString())
                .setTimeout(TIMEOUT).setCompression("gzip").setComponentLoader(only(new JdkHttpSender.Provider(time)));
        settings.headers().forEach(exporter::addHeader);
        provider = SdkTracerProvider.builder()
                .setResource(Resource.getDefault().merge(Resource.create(Attributes.builder()
                        .put("service.name", settings.service()).put("service.instance.id", instance).build())))
                .setSampler(new ShareSampler(settings.share()))
                .setSpanLimits(SpanLimits.builder().setMaxAttributeValueLength(512).build())
                .addSpanProcessor(BatchSpanProcessor.builder(exporter.build()).setMaxQueueSize(QUEUE)
                        .setMaxExportBatchSize(EXPORT_MAX).setScheduleDelay(DELAY)
                        .setExporterTimeout(TIMEOUT.multipliedBy(3))
                        .build())
                .build();
        tracer = new OpenTelemetryTracer(OpenTelemetrySdk.builder().setTracerProvider(provider).build());
    }

    /** Offers one sender, whatever the class path holds. */
    private static ComponentLoader only(HttpSenderProvider sender) {
        return new ComponentLoader() {
            @Override
            public <T> Iterable<T> load(Class<T> type) {
                return type.equals(HttpSenderProvider.class) ? List.of(type.cast(sender)) : List.of();
            }
        };
    }

    public Tracer tracer() {
        return tracer;
    }

    /** Sends the spans that wait, for at most 5 s. Idempotent. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        provider.shutdown().join(STOP.toMillis(), TimeUnit.MILLISECONDS);
    }
}
