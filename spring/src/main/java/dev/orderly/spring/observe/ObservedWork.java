package dev.orderly.spring.observe;

import dev.orderly.trace.TraceContext;
import dev.orderly.trace.Tracer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pushes and attempts as observations of Micrometer: {@code orderly.push} and {@code orderly.attempt}. A tracer of the
 * application writes the trace of a push into the job, and continues it in each attempt. Thread-safe.
 */
public final class ObservedWork implements Tracer {
    /** A push of one or more jobs. */
    public static final String PUSH = "orderly.push";
    /** An attempt of a job. */
    public static final String ATTEMPT = "orderly.attempt";

    private static final String QUEUE = "queue";
    private static final String ERROR = "error.type";
    private static final String NONE = "none";

    private final ObservationRegistry registry;

    public ObservedWork(ObservationRegistry registry) {
        this.registry = registry;
    }

    /** None: the observation that is current is the parent without being named. */
    @Override
    public @Nullable TraceContext current() {
        return null;
    }

    @Override
    public Span push(String queue, int jobs, @Nullable TraceContext parent) {
        if (registry.isNoop() || (parent != null && registry.getCurrentObservation() == null)) {
            return Span.none(parent); // a trace that the push names, and none that is current, goes on in the job
        }
        Map<String, String> headers = new HashMap<>();
        SenderContext<Map<String, String>> context = new SenderContext<>((carrier, key, value) -> {
            if (carrier != null) {
                carrier.put(key, value);
            }
        }, Kind.PRODUCER);
        context.setCarrier(headers);
        Observation observation = Observation.createNotStarted(PUSH, () -> context, registry)
                .contextualName("send " + queue).lowCardinalityKeyValue(QUEUE, queue)
                .lowCardinalityKeyValue(ERROR, NONE).highCardinalityKeyValue("jobs", Integer.toString(jobs)).start();
        TraceContext own = TraceContext.of(values(headers, TraceContext.PARENT), values(headers, TraceContext.STATE));
        return new Observed(observation, own == null ? parent : own);
    }

    private static List<String> values(Map<String, String> headers, String name) {
        String value = headers.get(name);
        return value == null ? List.of() : List.of(value);
    }

    @Override
    public Span attempt(Attempt attempt, @Nullable TraceContext pushed) {
        if (registry.isNoop()) {
            return Span.none(pushed);
        }
        ReceiverContext<Map<String, String>> context = new ReceiverContext<>(Map::get, Kind.CONSUMER);
        context.setCarrier(headers(pushed));
        return new Observed(Observation.createNotStarted(ATTEMPT, () -> context, registry)
                .contextualName("process " + attempt.queue()).lowCardinalityKeyValue(QUEUE, attempt.queue())
                .lowCardinalityKeyValue(ERROR, NONE).highCardinalityKeyValue("job", attempt.job())
                .highCardinalityKeyValue("attempt", Integer.toString(attempt.number())).start(), pushed);
    }

    private static Map<String, String> headers(@Nullable TraceContext trace) {
        Map<String, String> headers = new HashMap<>();
        if (trace != null) {
            headers.put(TraceContext.PARENT, trace.parent());
            if (trace.state() != null) {
                headers.put(TraceContext.STATE, trace.state());
            }
        }
        return headers;
    }

    @Override
    public Span request(String method, @Nullable TraceContext parent) {
        return Span.none(parent);
    }

    /** A failure without the message of its exception, which may hold data of users. */
    private static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;

        Failed(String type) {
            super(type, null, false, false);
        }
    }

    /** An observation under way. */
    private record Observed(Observation observation, @Nullable TraceContext context) implements Span {
        @Override
        @SuppressWarnings("MustBeClosedChecker") // the scope that is returned closes it
        public Scope enter() {
            Observation.Scope scope = observation.openScope();
            return scope::close;
        }

        @Override
        public void end() {
            observation.stop();
        }

        @Override
        public void failed(String type) {
            observation.lowCardinalityKeyValue(ERROR, type).error(new Failed(type)).stop();
        }

        @Override
        public void answered(int status) {
            end();
        }
    }
}
