package dev.orderly.config.reader;

import dev.orderly.config.AlertConfig;
import dev.orderly.config.Config;
import dev.orderly.config.ConfigProblem;
import dev.orderly.config.TraceConfig;
import dev.orderly.config.VisitorLogConfig;
import dev.orderly.config.VisitorLogConfig.Addresses;
import dev.orderly.config.VisitorLogConfig.Requests;
import dev.orderly.config.schema.AlertSchema;
import dev.orderly.config.schema.ConfigSchema;
import dev.orderly.config.schema.TraceSchema;
import dev.orderly.config.schema.VisitorLogSchema;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The part of {@link ConfigReader} about what the server tells about itself. */
final class TelemetryReader {
    private final Path folder;
    private final Map<String, String> environment;
    private final List<ConfigProblem> problems;

    /** @param folder of relative paths */
    TelemetryReader(Path folder, Map<String, String> environment, List<ConfigProblem> problems) {
        this.folder = folder;
        this.environment = environment;
        this.problems = problems;
    }

    Config.Telemetry read(CheckedSection file) {
        return new Config.Telemetry(visitorLog(file.below(VisitorLogSchema.VISITOR_LOG)), traces(file), alerts(file),
                file.below(ConfigSchema.KEEP).value(ConfigSchema.KEEP_HISTORY).orElse(Duration.ZERO));
    }

    private @Nullable TraceConfig traces(CheckedSection file) {
        CheckedSection at = file.below(TraceSchema.TRACES);
        URI url = at.value(TraceSchema.URL).orElse(null);
        String variable = at.value(TraceSchema.HEADERS_ENV).orElse(null);
        if (variable != null && TraceConfig.headers(environment.get(variable)).isEmpty()) {
            problems.add(at.problem(TraceSchema.HEADERS_ENV, "Variable " + variable + " holds no headers",
                    "set it to NAME=VALUE pairs, separated by commas, or remove the key"));
        }
        return url == null
                ? null
                : new TraceConfig(url, at.value(TraceSchema.SAMPLE).orElse(0.0), variable,
                        at.value(TraceSchema.SERVICE).orElse(""), at.value(TraceSchema.LINK).orElse(null));
    }

    private static @Nullable AlertConfig alerts(CheckedSection file) {
        CheckedSection at = file.below(AlertSchema.ALERTS);
        return at.value(AlertSchema.URL).map(url -> new AlertConfig(url, at.value(AlertSchema.WAIT).orElse(null),
                at.value(AlertSchema.OLDEST_JOB).orElse(null), Set.copyOf(at.values(AlertSchema.OFF)))).orElse(null);
    }

    private VisitorLogConfig visitorLog(CheckedSection at) {
        return new VisitorLogConfig(at.value(VisitorLogSchema.REQUESTS).orElse(Requests.OFF),
                at.value(VisitorLogSchema.SAMPLE).orElse(0.0),
                at.value(VisitorLogSchema.FILE).map(file -> folder.resolve(file).normalize()).orElse(null),
                at.value(VisitorLogSchema.ADDRESSES).orElse(Addresses.SHORTENED),
                at.value(VisitorLogSchema.MAX_SIZE).orElse(1L), at.value(VisitorLogSchema.KEEP).orElse(Duration.ZERO),
                at.value(VisitorLogSchema.MAX_TOTAL).orElse(1L));
    }
}
