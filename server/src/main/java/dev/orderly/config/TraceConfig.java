package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.RoomValueTypes;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueType;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.config.source.ConfigProblem;
import dev.orderly.job.present.JobPresentation;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The export of traces.
 *
 * @param url of the collector
 * @param sample share of the traces that is recorded
 * @param headersVariable variable with headers of each request; null for none
 * @param service the name under which spans are shown
 * @param link the page of a trace, see {@link dev.orderly.job.present.JobPresentation}; null for none
 */
public record TraceConfig(URI url, double sample, @Nullable String headersVariable, String service,
        @Nullable String link) {
    static final KeySpec.Key<URI> URL = new KeySpec.Key<>("url", ValueTypes.webhook(
            "http://127.0.0.1:4318/v1/traces"), new Absent.Refused(),
            "The address of a collector that takes OTLP over HTTP (protobuf), with its path, usually `/v1/traces`.");
    static final KeySpec.Key<Double> SAMPLE = new KeySpec.Key<>("sample", RoomValueTypes.share("10%"),
            new Absent.Means("10%"),
            "The share of the traces that is recorded. Requests that Orderly forwards are chosen by it, whatever the"
                    + " client asks for; pushes and attempts follow the `traceparent` of the pushing request, if any.");
    static final KeySpec.Key<String> HEADERS_ENV = new KeySpec.Key<>("headers-env",
            ValueTypes.variable("TRACE_HEADERS"), new Absent.Depends("none"),
            "The variable with headers for the collector, such as `Authorization=Bearer abc,X-Tenant=shop`.");
    static final KeySpec.Key<String> SERVICE = new KeySpec.Key<>("service",
            RoomValueTypes.text(100, "shop-queue"),
            new Absent.Means("orderly"), "The name under which the spans are shown (`service.name`).");
    static final KeySpec.Key<String> LINK = new KeySpec.Key<>("link", new ValueType<>(
            "an http or https address with {trace} in place of the trace's id, as is or in quotes",
            TraceConfig::link, "https://traces.example/trace/{trace}"), new Absent.Depends("none"),
            "The page of a trace in your tracing system. `{trace}` stands for the id of the trace, 32 hexadecimal"
                    + " digits. The API and the dashboard link each job to it.");
    static final Group TRACES = new Group("traces", List.of(URL, SAMPLE, HEADERS_ENV, SERVICE, LINK),
            "The export of traces. Without it nothing is recorded, and `traceparent` still travels from a push to its"
                    + " webhook. See [Running Orderly](operations.md#traces).",
            true);

    private static Optional<String> link(String text) {
        boolean web = text.startsWith("https://") || text.startsWith("http://");
        return web && text.length() <= 1_000 && text.contains(JobPresentation.TRACE)
                && ValueTypes.uri(text.replace(JobPresentation.TRACE, "0")).isPresent()
                        ? Optional.of(text)
                        : Optional.empty();
    }
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** The headers of a variable's text: pairs {@code NAME=VALUE}, separated by commas. Empty if any pair is faulty. */
    public static Map<String, String> headers(@Nullable String text) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String pair : text == null ? new String[0] : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? "" : pair.substring(0, equals).strip();
            String value = pair.substring(equals + 1).strip();
            if (!NAME.matcher(name).matches() || !value.chars().allMatch(c -> c >= ' ' && c <= '~')) {
                return Map.of();
            }
            headers.put(name, value);
        }
        return headers;
    }

    /** Its line in the log, defaults included, without secrets. */
    String inForce() {
        return UnitText.shareText(sample) + " to " + ConfigProblem.shown(url.toString()) + " as " + service;
    }

    static @Nullable TraceConfig read(CheckedSection file) {
        CheckedSection at = file.below(TRACES);
        URI url = at.value(URL).orElse(null);
        String variable = at.value(HEADERS_ENV).orElse(null);
        if (variable != null && TraceConfig.headers(at.variable(variable)).isEmpty()) {
            at.report(HEADERS_ENV, "Variable " + variable + " holds no headers",
                    "set it to NAME=VALUE pairs, separated by commas, or remove the key");
        }
        return url == null
                ? null
                : new TraceConfig(url, at.value(SAMPLE).orElse(0.0), variable,
                        at.value(SERVICE).orElse(""), at.value(LINK).orElse(null));
    }
}
