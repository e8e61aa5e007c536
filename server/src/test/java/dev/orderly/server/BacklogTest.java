package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BacklogTest {
    @ParameterizedTest
    @CsvSource({"0, 1", "60, 1", "75, 0.75", "90, 0.5", "120, 0", "600, 0"})
    void theShareFallsFromOneAtTheTargetToZeroAtTwiceTheTarget(long seconds, double share) {
        assertThat(BacklogSignal.share(Duration.ofSeconds(seconds), Duration.ofMinutes(1))).isEqualTo(share);
    }

    @Test
    void aQueueWithoutMeasurementsSlowsNoAdmission() {
        assertThat(BacklogSignal.share(null, Duration.ofMinutes(1))).isEqualTo(1);
    }
}
