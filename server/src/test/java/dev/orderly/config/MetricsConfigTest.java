package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The keys {@code metrics} and {@code edge.drain} and {@code edge.warm-up}. */
class MetricsConfigTest extends ConfigTrial {
    MetricsConfigTest() {
        super("store: sqlite:orderly.db\n");
    }

    @Test
    void withoutTheKeyNothingIsMeasuredAndAnEmptyOneListensOnLoopback() {
        assertThat(valid("").metrics()).isNull();
        assertThat(valid("metrics: {}\n").metrics()).isEqualTo(new ListenAddress("127.0.0.1", 9464));
        assertThat(valid("metrics: { host: 0.0.0.0, port: 1234 }\n").metrics())
                .isEqualTo(new ListenAddress("0.0.0.0", 1234));
        environment.put("ORDERLY_METRICS_PORT", "4321");
        assertThat(valid("").metrics()).isEqualTo(new ListenAddress("127.0.0.1", 4321));
    }

    @Test
    void eachListenerHasAPortOfItsOwn() {
        assertThat(problems("metrics: { port: 8080 }\n")).singleElement().asString()
                .contains("metrics.port", "Another listener has port 8080", "a port of its own");
        assertThat(problems("metrics: { port: 8081 }\n")).singleElement().asString().contains("8081");
    }

    @Test
    void theEdgeDrainsForFiveSecondsUnlessTheFileSaysOtherwise() {
        assertThat(valid("").site().drain()).isEqualTo(Duration.ofSeconds(5));
        assertThat(valid("edge: { drain: 0s }\n").site().drain()).isZero();
        assertThat(problems("edge: { drain: 1h }\n")).singleElement().asString().contains("edge.drain");
    }

    @Test
    void aNodeWithRoomsWarmsUpForFifteenSecondsUnlessTheFileSaysOtherwise() {
        assertThat(valid("").site().warmUp()).isEqualTo(Duration.ofSeconds(15));
        assertThat(valid("edge: { warm-up: 0s }\n").site().warmUp()).isZero();
        assertThat(problems("edge: { warm-up: 2m }\n")).singleElement().asString().contains("edge.warm-up");
    }
}
