package dev.orderly.server;

import dev.orderly.config.TraceConfig;
import dev.orderly.telemetry.trace.TraceExport;
import dev.orderly.time.Time;
import dev.orderly.trace.Tracer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tracer of a configuration; one that records nothing if none is configured. */
final class Tracing implements AutoCloseable {
    private final @Nullable TraceExport export;

    private Tracing(@Nullable TraceExport export) {
        this.export = export;
    }

    /** @param instance name of this process */
    static Tracing of(@Nullable TraceConfig config, Map<String, String> environment, String instance) {
        if (config == null) {
            return new Tracing(null);
        }
        String variable = config.headersVariable();
        return new Tracing(new TraceExport(TraceExport.Settings.to(config.url()).withShare(config.sample())
                .withHeaders(TraceConfig.headers(variable == null ? null : environment.get(variable)))
                .withService(config.service()), instance, Time.system()));
    }

    boolean isOn() {
        return export != null;
    }

    Tracer tracer() {
        return export == null ? Tracer.NONE : export.tracer();
    }

    /** Sends what waits. */
    @Override
    public void close() {
        if (export != null) {
            export.close();
        }
    }
}
