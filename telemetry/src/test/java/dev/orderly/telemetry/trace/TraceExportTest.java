package dev.orderly.telemetry.trace;

import static dev.orderly.telemetry.trace.Collector.attribute;
import static dev.orderly.telemetry.trace.Collector.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.job.Payload;
import dev.orderly.job.PushRequest;
import dev.orderly.job.RetryLater;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.engine.EngineOptions;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.time.Time;
import dev.orderly.trace.TraceContext;
import dev.orderly.trace.Tracer;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Spans of jobs and requests, as a collector gets them. */
class TraceExportTest {
    private static final TraceContext CALLER = new TraceContext(
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "rojo=00f067aa,congo=t61rc");

    private final Collector collector = new Collector();
    private final TraceExport export = export(1, collector.url());

    TraceExportTest() throws Exception {}

    private static TraceExport export(double share, URI url) {
        return new TraceExport(TraceExport.Settings.to(url).withShare(share)
                .withHeaders(Map.of("Api-Key", "of-test")).withService("shop"), "node-1",
                Time.system());
    }

    @AfterEach
    void close() {
        export.close();
        collector.close();
    }

    @Test
    void eachAttemptIsASpanBelowThePushInTheTraceOfTheCaller() {
        Queue<TraceContext> seen = new ConcurrentLinkedQueue<>();
        try (Orderly orderly = open(export.tracer())) {
            StandardQueue<String> mails = orderly.queue("mails", String.class);
            StandardQueue<String> next = orderly.queue("next", String.class);
            orderly.handle(mails, (text, job) -> {
                job.trace().ifPresent(seen::add);
                if (job.failures() == 0) {
                    throw new RetryLater(Duration.ofMillis(1), "of " + text, new IllegalStateException("of " + text));
                }
                next.push("from the handler");
            });
            orderly.handle(next, (_, job) -> job.trace().ifPresent(seen::add));
            orderly.start();
            orderly.jobs().push(PushRequest.of("mails", Payload.text("the secret content")).withTrace(CALLER));
            await().until(() -> seen.size() == 3);
        }
        export.close();

        Span push = collector.spans("send mails").getFirst();
        assertThat(hex(push.getTraceId())).isEqualTo(CALLER.traceId());
        assertThat(hex(push.getParentSpanId())).isEqualTo(CALLER.spanId());
        assertThat(push.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_PRODUCER);
        assertThat(push.getTraceState()).isEqualTo(CALLER.state());
        List<Span> attempts = collector.spans("process mails");
        assertThat(attempts).hasSize(2).allSatisfy(attempt -> {
            assertThat(attempt.getTraceId()).isEqualTo(push.getTraceId());
            assertThat(attempt.getParentSpanId()).isEqualTo(push.getSpanId());
            assertThat(attempt.getLinksList()).singleElement()
                    .satisfies(link -> assertThat(link.getSpanId()).isEqualTo(push.getSpanId()));
            assertThat(attempt.getKind()).isEqualTo(Span.SpanKind.SPAN_KIND_CONSUMER);
            assertThat(attribute(attempt.getAttributesList(), "messaging.system")).isEqualTo("orderly");
            assertThat(attribute(attempt.getAttributesList(), "messaging.destination.name")).isEqualTo("mails");
        });
        assertThat(attempts).extracting(span -> attribute(span.getAttributesList(), "orderly.attempt"))
                .containsExactlyInAnyOrder("1", "2");
        assertThat(attempts).extracting(span -> span.getStatus().getCode()).containsExactlyInAnyOrder(
                Status.StatusCode.STATUS_CODE_ERROR, Status.StatusCode.STATUS_CODE_UNSET);
        assertThat(seen).extracting(TraceContext::traceId).containsOnly(CALLER.traceId());
        Span nested = collector.spans("send next").getFirst();
        assertThat(nested.getTraceId()).isEqualTo(push.getTraceId());
        assertThat(attempts).extracting(Span::getSpanId).contains(nested.getParentSpanId());
        assertThat(collector.keys).containsOnly("of-test");
        assertThat(attribute(collector.resources.element().getResource().getAttributesList(), "service.name"))
                .isEqualTo("shop");
        assertThat(collector.resources.toString()).doesNotContain("secret content", "of the secret");
    }

    @Test
    void aPushContinuesTheSpanOfItsThread() {
        Tracer.Span own = export.tracer().request("GET", null);
        try (Orderly orderly = open(export.tracer())) {
            StandardQueue<String> mails = orderly.queue("mails", String.class);
            try (Tracer.Scope _ = own.enter()) {
                mails.push("x");
            }
        }
        own.answered(200);
        export.close();

        assertThat(hex(collector.spans("send mails").getFirst().getParentSpanId()))
                .isEqualTo(of(own).spanId());
        assertThat(attribute(collector.spans("GET").getFirst().getAttributesList(), "http.response.status_code"))
                .isEqualTo("200");
    }

    @Test
    void aClientCannotHaveItsRequestsRecordedAndTheDecisionTravelsOn() throws Exception {
        try (TraceExport none = export(0, collector.url())) {
            Tracer.Span request = none.tracer().request("GET", CALLER);
            assertThat(of(request).isSampled()).isFalse();
            assertThat(of(request).traceId()).isEqualTo(CALLER.traceId());
            request.answered(200);
            Tracer.Span push = none.tracer().push("mails", 1, request.context());
            assertThat(of(push).isSampled()).isFalse();
            push.end();
        }
        assertThat(collector.spans()).isEmpty();
    }

    @Test
    void aCollectorThatIsBusyForAMomentGetsItsSpans() {
        collector.refusals.set(1);
        export.tracer().push("mails", 3, null).end();
        export.close();

        assertThat(collector.spans("send mails")).singleElement().satisfies(span -> assertThat(
                attribute(span.getAttributesList(), "messaging.batch.message_count")).isEqualTo("3"));
    }

    @Test
    void aCollectorThatIsAwayCostsSpansOnly() throws Exception {
        URI nowhere;
        try (Collector gone = new Collector()) {
            nowhere = gone.url();
        }
        try (TraceExport lost = export(1, nowhere); Orderly orderly = open(lost.tracer())) {
            StandardQueue<String> mails = orderly.queue("mails", String.class);
            for (int i = 0; i < TraceExport.QUEUE + 100; i++) {
                lost.tracer().push("mails", 1, null).end();
            }
            assertThat(mails.push("x")).isNotNull();
        }
    }

    private static TraceContext of(Tracer.Span span) {
        return Objects.requireNonNull(span.context());
    }

    private static Orderly open(Tracer tracer) {
        return Orderly.open(new MemoryStore(), EngineOptions.defaults().withTracer(tracer));
    }
}
