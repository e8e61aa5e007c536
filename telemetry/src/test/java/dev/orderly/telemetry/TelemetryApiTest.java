package dev.orderly.telemetry;

import dev.orderly.Orderly;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.telemetry.metrics.OrderlyMetrics;
import dev.orderly.telemetry.metrics.PrometheusPage;
import dev.orderly.telemetry.trace.OpenTelemetryTracer;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.contract.api.PublicApiContract;
import dev.orderly.time.Time;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The public API of metrics and traces. */
class TelemetryApiTest extends PublicApiContract {
    private final MemoryStore store = new MemoryStore();
    private final Orderly orderly = Orderly.open(store);
    private final PrometheusPage page = new PrometheusPage();

    TelemetryApiTest() {
        super(OrderlyMetrics.class, 10);
        OrderlyMetrics metrics = new OrderlyMetrics(new SimpleMeterRegistry(), Time.system());
        samples().with(orderly, new SimpleMeterRegistry(), metrics, metrics.edge(),
                new OpenTelemetryTracer(OpenTelemetry.noop()),
                new RoomEngine(store.rooms(), new RoomTokens(TokenKeys.of(List.of(new byte[32]))), Time.system()),
                URI.create("http://127.0.0.1:1/v1/traces"), page);
    }

    @AfterEach
    void close() {
        page.close();
        orderly.close();
    }
}
