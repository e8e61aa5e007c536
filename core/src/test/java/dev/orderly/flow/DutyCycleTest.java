package dev.orderly.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.time.Time;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DutyCycleTest {
    private static final Duration LEAST = Duration.ofSeconds(15);

    private final Time time = Time.system();
    private final DutyCycle duty = new DutyCycle(time);

    /** A round that ends now and took this long. */
    private Duration pauseAfter(Duration round) {
        return duty.done(LEAST, time.nanos() - round.toNanos());
    }

    @Test
    void workThatStaysExpensiveTakesAFiftiethOfTheTime() {
        for (int round = 0; round < 6; round++) {
            pauseAfter(Duration.ofSeconds(10));
        }
        assertThat(pauseAfter(Duration.ofSeconds(10))).isBetween(Duration.ofSeconds(500), Duration.ofSeconds(510));
        assertThat(duty.failed(LEAST)).isGreaterThanOrEqualTo(Duration.ofSeconds(500));
        assertThat(pauseAfter(Duration.ZERO)).isEqualTo(LEAST);
    }

    @Test
    void oneRoundThatHasWaitedForTheStoreDoublesThePauseAtMost() {
        assertThat(duty.failed(LEAST)).isEqualTo(LEAST);
        assertThat(pauseAfter(Duration.ofMinutes(1))).isEqualTo(LEAST.multipliedBy(2));
        assertThat(pauseAfter(Duration.ZERO)).isEqualTo(LEAST);
    }
}
