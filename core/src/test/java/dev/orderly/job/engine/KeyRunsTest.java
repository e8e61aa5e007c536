package dev.orderly.job.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class KeyRunsTest {
    private static final int BOUND = 10_000;

    private final KeyRuns runs = new KeyRuns();

    @Test
    void beyondTheBoundTheRunTimeOfTheKeyThatRanLongestAgoIsForgotten() {
        for (int key = 0; key <= BOUND; key++) {
            runs.ran("key-" + key, Duration.ofSeconds(1));
        }
        runs.settled("key-0");
        runs.settled("key-1");
        assertThat(runs.take()).hasSize(2).containsEntry("key-0", Duration.ZERO)
                .containsEntry("key-1", Duration.ofSeconds(1));
    }

    @Test
    void jobsOfLessThanAMillisecondMakeKeysTakeTurnsByTheirNumber() {
        runs.ran("a", Duration.ofNanos(20_000));
        runs.ran("b", Duration.ofNanos(900_000));
        runs.settled("a");
        runs.settled("b");
        assertThat(runs.take()).containsEntry("a", Duration.ofMillis(1)).containsEntry("b", Duration.ofMillis(1));
    }

    @Test
    void beyondTheBoundTheStoreIsNotToldOfFurtherKeysWhoseJobsHaveEnded() {
        for (int key = 0; key < 2 * BOUND; key++) {
            runs.settled("key-" + key);
        }
        int told = 0;
        for (int some = runs.take().size(); some > 0; some = runs.take().size()) {
            told += some;
        }
        assertThat(told).isEqualTo(BOUND);
    }
}
