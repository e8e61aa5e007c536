package dev.orderly.room.crowd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TopCountsTest {
    private static final int MOST = 50;

    private final TopCounts counts = new TopCounts(MOST);
    private final Map<String, Long> real = new HashMap<>();
    private long all;

    private void add(String key) {
        counts.add(key);
        real.merge(key, 1L, Long::sum);
        all++;
    }

    @Test
    void everyKeyWithMoreThanItsShareIsKeptAndNoNumberIsTooHigh() {
        Random random = new Random(1);
        for (int n = 0; n < 20_000; n++) {
            add(n % 10 == 0 ? "greedy " + n % 3 : "once " + random.nextInt());
        }
        Map<String, Long> top = counts.top(MOST);
        real.forEach((key, number) -> {
            if (number > all / MOST) {
                assertThat(top).containsKey(key);
            }
        });
        assertThat(counts.error()).isPositive().isLessThanOrEqualTo(all / MOST);
        top.forEach((key, atLeast) -> assertThat(real.getOrDefault(key, 0L)).as(key)
                .isBetween(atLeast, atLeast + counts.error()));
    }

    @Test
    void fewKeysAreCountedExactlyTheMostFirst() {
        for (int n = 0; n < 60; n++) {
            add(n % 2 == 0 ? "a" : n % 3 == 0 ? "b" : "c");
        }
        assertThat(counts.top(2)).containsExactly(Map.entry("a", 30L), Map.entry("c", 20L));
        assertThat(counts.error()).isZero();
        assertThat(counts.errorBeyond(2)).as("b is not listed").isEqualTo(10);
        assertThat(counts.errorBeyond(3)).isZero();
        assertThat(counts.atLeast("b")).isEqualTo(10);
        assertThat(counts.atLeast("d")).isZero();
    }
}
