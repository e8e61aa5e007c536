package dev.orderly.telemetry.trace;

import dev.orderly.trace.TraceContext;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A tracer of an OpenTelemetry SDK, by its <a href="https://opentelemetry.io/docs/specs/semconv/messaging/">conventions
 * for messaging</a>: {@code send QUEUE} (producer) for a push, {@code process QUEUE} (consumer) for each attempt, which
 * has the push as its parent and as a link; and a server span for each forwarded request. Attributes hold names, ids
 * and sizes, never payloads, users or groups.
 *
 * <p>In an application that records traces itself, a push continues the span that is current on its thread, and
 * {@code Span.current()} inside a handler is the attempt. Thread-safe.
 */
public final class OpenTelemetryTracer implements dev.orderly.trace.Tracer {
    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    private static final AttributeKey<String> DESTINATION = AttributeKey.stringKey("messaging.destination.name");
    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("messaging.operation.name");
    private static final AttributeKey<String> OPERATION_TYPE = AttributeKey.stringKey("messaging.operation.type");
    private static final AttributeKey<Long> BATCH = AttributeKey.longKey("messaging.batch.message_count");
    private static final AttributeKey<String> MESSAGE = AttributeKey.stringKey("messaging.message.id");
    private static final AttributeKey<Long> SIZE = AttributeKey.longKey("messaging.message.body.size");
    private static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("orderly.attempt");
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");
    private static final String ORDERLY = "orderly";
    private static final int STATE_MEMBERS = 32;

    private final Tracer tracer;

    public OpenTelemetryTracer(OpenTelemetry openTelemetry) {
        this.tracer = openTelemetry.getTracer("dev.orderly");
    }

    @Override
    public @Nullable TraceContext current() {
        return written(io.opentelemetry.api.trace.Span.current().getSpanContext());
    }

    @Override
    public Span push(String queue, int jobs, @Nullable TraceContext parent) {
        Objects.requireNonNull(queue, "queue");
        SpanBuilder span = tracer.spanBuilder("send " + queue).setSpanKind(SpanKind.PRODUCER).setParent(below(parent))
                .setAllAttributes(messaging(queue, "send"));
        return new Recorded((jobs == 1 ? span : span.setAttribute(BATCH, (long) jobs)).startSpan());
    }

    @Override
    public Span attempt(Attempt attempt, @Nullable TraceContext pushed) {
        SpanBuilder span = tracer.spanBuilder("process " + attempt.queue()).setSpanKind(SpanKind.CONSUMER)
                .setParent(below(pushed)).setAllAttributes(messaging(attempt.queue(), "process"))
                .setAttribute(MESSAGE, attempt.job()).setAttribute(SIZE, (long) attempt.bytes())
                .setAttribute(ATTEMPT, (long) attempt.number());
        return new Recorded((pushed == null ? span : span.addLink(read(pushed))).startSpan());
    }

    @Override
    public Span request(String method, @Nullable TraceContext parent) {
        Objects.requireNonNull(method, "method");
        return new Recorded(tracer.spanBuilder(method).setSpanKind(SpanKind.SERVER).setParent(below(parent))
                .setAttribute(METHOD, method).startSpan());
    }

    private static Attributes messaging(String queue, String operation) {
        return Attributes.of(SYSTEM, ORDERLY, DESTINATION, queue, OPERATION, operation, OPERATION_TYPE, operation);
    }

    private static Context below(@Nullable TraceContext parent) {
        return parent == null
                ? Context.root()
                : Context.root().with(io.opentelemetry.api.trace.Span.wrap(read(parent)));
    }

    private static SpanContext read(TraceContext context) {
        return SpanContext.createFromRemoteParent(context.traceId(), context.spanId(),
                TraceFlags.fromHex(context.parent(), context.parent().length() - 2), state(context.state()));
    }

    private static TraceState state(@Nullable String text) {
        TraceStateBuilder state = TraceState.builder();
        if (text != null) {
            List<String> members = List.of(text.split(",", STATE_MEMBERS + 1));
            // The entry of this span comes before the entries that were received.
            members.subList(0, Math.min(members.size(), STATE_MEMBERS)).reversed().forEach(member -> {
                int equals = member.indexOf('=');
                state.put(member.substring(0, equals), member.substring(equals + 1));
            });
        }
        return state.build();
    }

    private static @Nullable TraceContext written(SpanContext context) {
        if (!context.isValid()) {
            return null;
        }
        String state = context.getTraceState().asMap().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue()).collect(Collectors.joining(","));
        return TraceContext.of(
                List.of("00-" + context.getTraceId() + "-" + context.getSpanId() + "-"
                        + context.getTraceFlags().asHex()),
                state.isEmpty() ? List.of() : List.of(state));
    }

    /** A span of the SDK, which records it if it is sampled. */
    private record Recorded(io.opentelemetry.api.trace.Span span, @Nullable TraceContext context)
            implements
                dev.orderly.trace.Tracer.Span {
        Recorded(io.opentelemetry.api.trace.Span span) {
            this(span, written(span.getSpanContext()));
        }

        @Override
        @SuppressWarnings("MustBeClosedChecker") // the scope that is returned closes it
        public Scope enter() {
            io.opentelemetry.context.Scope current = span.makeCurrent();
            return current::close;
        }

        @Override
        public void end() {
            span.end();
        }

        @Override
        public void failed(String type) {
            span.setStatus(StatusCode.ERROR).setAttribute(ERROR, type).end();
        }

        @Override
        public void answered(int status) {
            if (status == 0) {
                failed("client_left");
                return;
            }
            span.setAttribute(STATUS, (long) status);
            if (status >= 500) {
                span.setStatus(StatusCode.ERROR).setAttribute(ERROR, Integer.toString(status));
            }
            span.end();
        }
    }
}
