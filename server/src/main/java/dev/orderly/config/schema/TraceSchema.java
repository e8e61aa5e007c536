package dev.orderly.config.schema;

import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.job.present.JobPresentation;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** The keys of traces. */
public final class TraceSchema {
    public static final KeySpec.Key<URI> URL = new KeySpec.Key<>("url", ValueTypes.webhook(
            "http://127.0.0.1:4318/v1/traces"), new Absent.Refused(),
            "The address of a collector that takes OTLP over HTTP (protobuf), with its path, usually `/v1/traces`.");
    public static final KeySpec.Key<Double> SAMPLE = new KeySpec.Key<>("sample", RoomValueTypes.share("10%"),
            new Absent.Means("10%"),
            "The share of the traces that is recorded. Requests that Orderly forwards are chosen by it, whatever the"
                    + " client asks for; pushes and attempts follow the `traceparent` of the pushing request, if any.");
    public static final KeySpec.Key<String> HEADERS_ENV = new KeySpec.Key<>("headers-env",
            ValueTypes.variable("TRACE_HEADERS"), new Absent.Depends("none"),
            "The variable with headers for the collector, such as `Authorization=Bearer abc,X-Tenant=shop`.");
    public static final KeySpec.Key<String> SERVICE = new KeySpec.Key<>("service",
            RoomValueTypes.text(100, "shop-queue"),
            new Absent.Means("orderly"), "The name under which the spans are shown (`service.name`).");
    public static final KeySpec.Key<String> LINK = new KeySpec.Key<>("link", new ValueType<>(
            "an http or https address with {trace} in place of the trace's id, as is or in quotes",
            TraceSchema::link, "https://traces.example/trace/{trace}"), new Absent.Depends("none"),
            "The page of a trace in your tracing system. `{trace}` stands for the id of the trace, 32 hexadecimal"
                    + " digits. The API and the dashboard link each job to it.");
    public static final Group TRACES = new Group("traces", List.of(URL, SAMPLE, HEADERS_ENV, SERVICE, LINK),
            "The export of traces. Without it nothing is recorded, and `traceparent` still travels from a push to its"
                    + " webhook. See [Running Orderly](operations.md#traces).",
            true);

    private TraceSchema() {}

    private static Optional<String> link(String text) {
        boolean web = text.startsWith("https://") || text.startsWith("http://");
        return web && text.length() <= 1_000 && text.contains(JobPresentation.TRACE)
                && ValueTypes.uri(text.replace(JobPresentation.TRACE, "0")).isPresent()
                        ? Optional.of(text)
                        : Optional.empty();
    }
}
