package dev.orderly.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SteadyTimeTest {
    private final ManualTime clocks = new ManualTime();
    private final Time steady = Time.steady(clocks, Instant.MIN);
    private final Instant start = clocks.now();

    @Test
    void settingTheWallClockChangesNothing() {
        clocks.jump(Duration.ofHours(-2));
        assertThat(steady.now()).isEqualTo(start);
        clocks.jump(Duration.ofDays(3));
        assertThat(steady.now()).isEqualTo(start);
    }

    @Test
    void itAdvancesWithTheMonotonicClock() {
        clocks.jump(Duration.ofHours(5));
        clocks.advance(Duration.ofMillis(1_500));
        assertThat(steady.now()).isEqualTo(start.plusMillis(1_500));
        assertThat(steady.nanos()).isEqualTo(clocks.nanos());
    }

    @Test
    void itStartsAtTheWallTimeOfItsCreation() {
        clocks.jump(Duration.ofHours(1));
        assertThat(Time.steady(clocks, Instant.MIN).now()).isEqualTo(start.plus(Duration.ofHours(1)));
    }
}
