package dev.orderly.spring.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.Orderly;
import dev.orderly.Store;
import dev.orderly.job.StandardQueue;
import dev.orderly.spring.EngineCustomizer;
import dev.orderly.spring.JobHandler;
import dev.orderly.spring.boot.OrderlyAutoConfiguration;
import dev.orderly.spring.boot.OrderlyObservationAutoConfiguration;
import dev.orderly.testkit.ManualTime;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.harness.OrderlyHarness;
import dev.orderly.testkit.harness.PushRecorder;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Spans of OpenTelemetry, which a bridge of Micrometer makes of the observations as in an application. */
class TracingBridgeTest {
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final SdkTracerProvider provider = SdkTracerProvider.builder()
            .addSpanProcessor(SimpleSpanProcessor.create(spans)).build();
    private final Tracer tracer = new OtelTracer(provider.get("test"), new OtelCurrentTraceContext(), _ -> {});
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final ManualTime time = new ManualTime();
    private final PushRecorder store = new PushRecorder(new MemoryStore(time));
    private final Queue<String> current = new ConcurrentLinkedQueue<>();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(OrderlyObservationAutoConfiguration.class,
                    OrderlyAutoConfiguration.class))
            .withBean(EngineCustomizer.class, () -> options -> options.withTime(time).withStopGrace(Duration.ZERO))
            .withBean(Store.class, () -> store).withBean(ObservationRegistry.class, () -> observations)
            .withBean(Mailer.class, () -> new Mailer(tracer, current));

    TracingBridgeTest() {
        OtelPropagator propagator = new OtelPropagator(
                ContextPropagators.create(W3CTraceContextPropagator.getInstance()), provider.get("test"));
        observations.observationConfig().observationHandler(new FirstMatchingCompositeObservationHandler(
                new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
                new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                new DefaultTracingObservationHandler(tracer)));
    }

    @AfterEach
    void close() {
        provider.close();
    }

    static class Mailer {
        private final Tracer tracer;
        private final Queue<String> current;

        Mailer(Tracer tracer, Queue<String> current) {
            this.tracer = tracer;
            this.current = current;
        }

        @JobHandler(value = "mails", retry = @JobHandler.Retry(attempts = 2, base = "1s", jitter = 0))
        void send(String mail) {
            current.add(Objects.requireNonNull(tracer.currentSpan()).context().traceId());
            if (current.size() == 1) {
                throw new IllegalStateException("secret of ada");
            }
            Orderly.current().queue("receipts", String.class).push(mail);
        }

        @JobHandler("receipts")
        void note(String mail) {
            current.add(Objects.requireNonNull(tracer.currentSpan()).context().traceId());
        }
    }

    private SpanData span(String name, int n) {
        List<SpanData> found = spans.getFinishedSpanItems().stream().filter(span -> span.getName().equals(name))
                .toList();
        assertThat(found).hasSizeGreaterThan(n);
        return found.get(n);
    }

    @Test
    @SuppressWarnings("unchecked")
    void oneTraceHasTheRequestItsPushTheAttemptsAndWhatTheyPush() {
        runner.run(context -> {
            StandardQueue<String> mails = (StandardQueue<String>) context.getBean("mails");
            Observation.createNotStarted("request", observations).observe(() -> mails.push("hello"));
            OrderlyHarness.of(context.getBean(Orderly.class), store, time).advance(Duration.ofSeconds(5));
        });

        SpanData request = span("request", 0);
        SpanData push = span("send mails", 0);
        SpanData failed = span("process mails", 0);
        SpanData done = span("process mails", 1);
        SpanData receipt = span("send receipts", 0);
        assertThat(spans.getFinishedSpanItems()).hasSize(6).extracting(SpanData::getTraceId)
                .containsOnly(request.getTraceId());
        assertThat(current).hasSize(3).containsOnly(request.getTraceId());
        assertThat(push).returns(SpanKind.PRODUCER, SpanData::getKind).returns(request.getSpanId(),
                SpanData::getParentSpanId);
        assertThat(failed).returns(SpanKind.CONSUMER, SpanData::getKind).returns(push.getSpanId(),
                SpanData::getParentSpanId);
        assertThat(failed.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(failed.toString()).doesNotContain("secret");
        assertThat(done).returns(push.getSpanId(), SpanData::getParentSpanId);
        assertThat(done.getStatus().getStatusCode()).isNotEqualTo(StatusCode.ERROR);
        assertThat(receipt).returns(done.getSpanId(), SpanData::getParentSpanId);
        assertThat(span("process receipts", 0)).returns(receipt.getSpanId(), SpanData::getParentSpanId);
    }

    @Test
    @SuppressWarnings("unchecked")
    void aPushOutsideOfATraceBeginsOne() {
        runner.run(context -> {
            ((StandardQueue<String>) context.getBean("receipts")).push("hello");
            OrderlyHarness.of(context.getBean(Orderly.class), store, time).drain();
        });

        assertThat(span("send receipts", 0).getParentSpanContext().isValid()).isFalse();
        assertThat(span("process receipts", 0)).returns(span("send receipts", 0).getSpanId(),
                SpanData::getParentSpanId);
        assertThat(spans.getFinishedSpanItems()).hasSize(2);
    }
}
