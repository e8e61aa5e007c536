package dev.orderly.config.reader;

import dev.orderly.config.Config;
import dev.orderly.config.VisitorLogConfig;
import dev.orderly.config.VisitorLogConfig.Addresses;
import dev.orderly.config.VisitorLogConfig.Requests;
import dev.orderly.config.schema.VisitorLogSchema;
import java.nio.file.Path;
import java.time.Duration;

/** The part of {@link ConfigReader} about what the server tells about itself. */
final class TelemetryReader {
    private final Path folder;

    /** @param folder of relative paths */
    TelemetryReader(Path folder) {
        this.folder = folder;
    }

    Config.Telemetry read(CheckedSection file) {
        return new Config.Telemetry(visitorLog(file.below(VisitorLogSchema.VISITOR_LOG)));
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
