package dev.orderly.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.job.DedupeKey;
import dev.orderly.job.store.JobSequence;
import dev.orderly.store.StoreException;
import dev.orderly.store.sqlite.state.DedupeWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DedupeWindowTest {
    private static final Duration WINDOW = Duration.ofMinutes(5);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final long AMPLE = 64 << 20;

    @TempDir
    private Path folder;
    private final JobSequence sequence = new JobSequence(0);

    private record Used(long sequence, Instant at) {}

    private DedupeWindow window(long bytes) {
        return new DedupeWindow(WINDOW, bytes, folder.resolve("keys"));
    }

    /** Hashes, and keys that share their first bits or their last ones. */
    private static DedupeKey key(int number, long seed) {
        Random random = new Random(seed + number);
        return switch (number % 3) {
            case 0 -> new DedupeKey(random.nextLong(), random.nextLong());
            case 1 -> new DedupeKey(number, random.nextInt(4));
            default -> new DedupeKey(random.nextLong(), 0);
        };
    }

    @ParameterizedTest(name = "seed {0}, {1} bytes")
    @CsvSource({"1, 67108864", "2, 67108864", "3, 0", "4, 1024", "5, 16384", "6, 65536", "7, 262144", "8, 1024"})
    void aKeyIsFoundWithinItsWindowOnly(long seed, long bytes) {
        Random random = new Random(seed);
        Map<DedupeKey, Used> oracle = new HashMap<>();
        Instant now = START;
        int steps = (int) Math.min(40_000, 4_000 + bytes / 8);
        int mostStored = 0;
        try (DedupeWindow keys = window(bytes)) {
            for (int step = 0; step < steps; step++) {
                now = now.plusMillis(random.nextInt(500) == 0 ? random.nextInt(60_000) : random.nextInt(9));
                keys.makeRoom();
                DedupeKey key = key(random.nextInt(steps), seed);
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
                mostStored = Math.max(mostStored, keys.stored());
            }
        }
        assertThat(mostStored > 0).as("keys on disk").isEqualTo(bytes < AMPLE);
    }

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {1, 1_000, 100_000})
    void expiredKeysAreDropped(int count) {
        try (DedupeWindow keys = window(AMPLE)) {
            fill(keys, count);
            assertThat(keys.size()).isEqualTo(count);
            keys.expire(START.plus(WINDOW).plus(WINDOW));
            assertThat(keys.size()).isZero();
        }
    }

    @Test
    void manyKeysTakeNoMoreMemoryThanTheirBound() {
        long bound = 1 << 20;
        try (DedupeWindow keys = window(bound)) {
            Random random = new Random(1);
            for (int i = 0; i < 300_000; i++) {
                keys.add(new DedupeKey(random.nextLong(), random.nextLong()), sequence.next(START));
                if (i % 1_000 == 0) {
                    assertThat(keys.bytes()).as("after %d keys", i).isLessThan(bound);
                }
            }
            assertThat(keys.size()).isEqualTo(300_000);
            random.setSeed(1);
            for (int i = 0; i < 1_000; i++) {
                assertThat(keys.find(new DedupeKey(random.nextLong(), random.nextLong()), START)).isPositive();
            }
            keys.expire(START.plus(WINDOW).plus(WINDOW));
            assertThat(keys.size()).isZero();
        }
    }

    @Test
    void whileTheDiskTakesNoKeysTheyStayKnownAndPushesAreRefused() throws IOException {
        Path away = folder.resolve("away");
        try (DedupeWindow keys = new DedupeWindow(WINDOW, 1_024, away.resolve("keys"))) {
            fill(keys, 500);
            assertThatThrownBy(keys::makeRoom).isInstanceOf(StoreException.Unavailable.class)
                    .hasMessageContaining("away").hasMessageContaining("free disk space");
            assertThat(keys.stored()).isZero();
            Files.createDirectory(away);
            keys.makeRoom();
            assertThat(keys.stored()).isPositive();
            assertThat(keys.size()).isEqualTo(500);
            Random random = new Random(500);
            assertThat(keys.find(new DedupeKey(random.nextLong(), random.nextLong()), START)).isPositive();
        }
    }

    private void fill(DedupeWindow keys, int count) {
        Random random = new Random(count);
        for (int i = 0; i < count; i++) {
            keys.add(new DedupeKey(random.nextLong(), random.nextLong()), sequence.next(START));
        }
    }
}
