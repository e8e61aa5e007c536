package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.config.VisitorLogConfig.Addresses;
import dev.orderly.config.VisitorLogConfig.Requests;
import dev.orderly.http.alert.AlertKind;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The visitor log, traces and alerts in the file. */
class TelemetryConfigTest extends ConfigTrial {
    TelemetryConfigTest() {
        super("store: sqlite:orderly.db\n");
    }

    @Test
    void nothingIsToldUnlessItIsAskedFor() {
        Config.Telemetry telemetry = valid("").telemetry();
        assertThat(telemetry.visitorLog().share()).isZero();
        assertThat(telemetry.traces()).isNull();
        assertThat(telemetry.alerts()).isNull();
    }

    @Test
    void everyKeyIsRead() {
        environment.put("TRACE_HEADERS", "Authorization=Bearer hush, X-Tenant=shop");
        Config config = valid(
                """
                        visitor-log: { requests: sampled, sample: 5%, file: log/v.log, addresses: hashed, max-size: 1MiB,
                          keep: 3d, max-total: 9MiB }
                        traces: { url: "http://127.0.0.1:4318/v1/traces", sample: 50%, headers-env: TRACE_HEADERS, service: shop }
                        alerts: { url: "https://hooks.example/o", wait: 10m, oldest-job: 15m, off: [room.queueing, node.gone] }
                        keep: { history: 30d }
                        """);
        assertThat(config.telemetry()).isEqualTo(new Config.Telemetry(
                new VisitorLogConfig(Requests.SAMPLED, 0.05, folder.resolve("log/v.log"), Addresses.HASHED, 1 << 20,
                        Duration.ofDays(3), 9L << 20),
                new TraceConfig(URI.create("http://127.0.0.1:4318/v1/traces"), 0.5, "TRACE_HEADERS", "shop", null),
                new AlertConfig(URI.create("https://hooks.example/o"), Duration.ofMinutes(10), Duration.ofMinutes(15),
                        Set.of(AlertKind.ROOM_QUEUEING, AlertKind.NODE_GONE)),
                Duration.ofDays(30)));
        assertThat(config.telemetry().visitorLog().share()).isEqualTo(0.05);
        assertThat(TraceConfig.headers(environment.get("TRACE_HEADERS")))
                .isEqualTo(Map.of("Authorization", "Bearer hush", "X-Tenant", "shop"));
        assertThat(config.inForce()).contains("visitor-log: 5%", "traces: 50%", "alerts: to", "history 30d")
                .doesNotContain("hush");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            visitor-log: { requests: some }                     | visitor-log.requests | off
            keep: { history: never }                            | keep.history         | 0s to
            visitor-log: { keep: 1h }                           | visitor-log.keep     | 1d to
            traces: { sample: 10% }                             | traces.url           |
            traces: { url: "http://u:p@127.0.0.1/v1/traces" }   | traces.url           | user
            traces: { url: "http://127.0.0.1/v1", headers-env: NOT_THERE } | traces.headers-env | no headers
            alerts: { wait: 10m }                               | alerts.url           |
            alerts: { url: "http://127.0.0.1/", off: [none.such] } | alerts.off[1]     | room.queueing
            """)
    void aFaultyValueIsNamedWithItsRule(String yaml, String key, String rule) {
        assertThat(problems(yaml)).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo(key);
            assertThat(problem.toString()).contains(rule == null ? "" : rule);
        });
    }
}
