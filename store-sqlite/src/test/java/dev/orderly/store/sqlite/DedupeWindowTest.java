package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.store.JobSequence;
import dev.orderly.store.sqlite.state.DedupeWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DedupeWindowTest {
    private static final Duration WINDOW = Duration.ofMinutes(5);

    private record Used(long sequence, Instant at) {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aKeyIsFoundWithinItsWindowOnly(long seed) {
        Random random = new Random(seed);
        DedupeWindow keys = new DedupeWindow(WINDOW);
        JobSequence sequence = new JobSequence(0);
        Map<DedupeKey, Used> oracle = new HashMap<>();
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        for (int step = 0; step < 20_000; step++) {
            now = now.plusMillis(random.nextInt(10) == 0 ? random.nextInt(20_000) : random.nextInt(3));
            DedupeKey key = new DedupeKey(random.nextInt(60), random.nextInt(40));
            Used used = oracle.get(key);
            long expected = used != null && used.at.plus(WINDOW).isAfter(now) ? used.sequence : 0;
            assertThat(keys.find(key, now)).as("seed %d, step %d", seed, step).isEqualTo(expected);
            if (expected == 0) {
                long number = sequence.next(now);
                keys.add(key, number);
                oracle.put(key, new Used(number, now));
            }
            if (random.nextInt(50) == 0) {
                keys.expire(now);
            }
        }
    }

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {1, 1_000, 100_000})
    void expiredKeysAreDropped(int count) {
        DedupeWindow keys = new DedupeWindow(WINDOW);
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        JobSequence sequence = new JobSequence(0);
        Random random = new Random(count);
        for (int i = 0; i < count; i++) {
            keys.add(new DedupeKey(random.nextLong(), random.nextLong()), sequence.next(now));
        }
        assertThat(keys.size()).isEqualTo(count);
        keys.expire(now.plus(WINDOW).plus(WINDOW));
        assertThat(keys.size()).isZero();
    }
}
