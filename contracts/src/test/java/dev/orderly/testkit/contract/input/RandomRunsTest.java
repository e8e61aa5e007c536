package dev.orderly.testkit.contract.input;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RandomRunsTest {
    private static long[] seeds(String asked) {
        return RandomRuns.seeds(asked, 3, () -> true).toArray();
    }

    @Test
    void aRunHasTheSeedsThatItIsAskedFor() {
        assertThat(seeds("")).containsExactly(1, 2, 3);
        assertThat(seeds("2")).containsExactly(1, 2);
        assertThat(seeds("#7")).containsExactly(7);
        assertThat(seeds("1001-1003")).containsExactly(1001, 1002, 1003);
    }

    @Test
    void aRunThatEndsWhenItIsFlatAsksBeforeEachSeed() {
        AtomicInteger runs = new AtomicInteger();
        long[] seeds = RandomRuns.seeds("5-flat", 3, () -> runs.get() == 4).peek(_ -> runs.incrementAndGet())
                .toArray();
        assertThat(seeds).containsExactly(5, 6, 7, 8);
    }
}
