package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.config.EdgeLimits.OriginLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitConfigTest extends ConfigTrial {
    LimitConfigTest() {
        super("store: sqlite:orderly.db\n");
    }

    @Test
    void absentLimitsFollowFromTheMachine() {
        assertThat(valid("").site().limits()).isEqualTo(EdgeLimits.DEFAULT);
    }

    @Test
    void everyLimitIsRead() {
        assertThat(valid("""
                edge:
                  limits: { connections: 2000, connections-per-address: 50, waiting-streams: 900, pages: 10,
                    waiting-streams-per-address: 30, streams-per-ticket: 2, live-connections: 100, uploads: 5,
                    streams: 7, websockets: 9, stall: 5s, pushes: 20, address-share: 50%, bodies: 8MiB }
                """).site().limits()).isEqualTo(new EdgeLimits(2_000, 50, 900, 30, 2, 100,
                new OriginLimits(10, 5, 7, 9, Duration.ofSeconds(5)), 20, 0.5, 8L << 20));
    }

    @Test
    void eventLoopsAreReadAndFollowFromTheCoresOtherwise() {
        assertThat(valid("edge: { event-loops: 3 }").site().eventLoops()).isEqualTo(3);
        assertThat(valid("").site().eventLoops()).isNull();
        assertThat(problems("edge: { event-loops: 0 }")).singleElement()
                .satisfies(problem -> assertThat(problem.key()).isEqualTo("edge.event-loops"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            { connections: 3 }                           | edge.limits.connections     | 16 to
            { connections: 100, waiting-streams: 95 }    | edge.limits.waiting-streams | less than a tenth
            { connections: 100, live-connections: 91 }   | edge.limits.live-connections | less than a tenth
            { stall: 1ms }                               | edge.limits.stall           | 1s to
            """)
    void aLimitThatShutsOtherClientsOutIsRefused(String limits, String key, String rule) {
        assertThat(problems("edge: { limits: " + limits + " }")).singleElement().satisfies(problem -> {
            assertThat(problem.key()).isEqualTo(key);
            assertThat(problem.rule()).contains(rule);
        });
    }
}
