package dev.orderly.testkit.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.orderly.flow.Meter;
import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MeterTest {
    private final ManualTime time = new ManualTime();
    private final Meter meter = new Meter(time);

    private void run(int seconds, int perSecond) {
        for (int i = 0; i < seconds; i++) {
            meter.mark(perSecond);
            time.advance(Duration.ofSeconds(1));
        }
    }

    @Test
    void aSteadyRateIsShownFromTheFirstSecondOn() {
        run(1, 100);
        assertThat(meter.perSecond()).isCloseTo(100, within(1.0));
        run(300, 100);
        assertThat(meter.perSecond()).isCloseTo(100, within(1.0));
    }

    @Test
    void aMinuteAfterARateChangedMostOfTheChangeIsShown() {
        run(600, 100);
        run(60, 0);
        assertThat(meter.perSecond()).isBetween(30.0, 45.0);
        time.advance(Duration.ofMinutes(10));
        assertThat(meter.perSecond()).isLessThan(0.1);
    }
}
