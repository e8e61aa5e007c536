package dev.orderly.job.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.job.JobId;
import dev.orderly.job.Limit;
import dev.orderly.job.store.Rest;
import dev.orderly.job.store.StartWindow;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyTurnsTest {
    private static final Limit TEN_A_MINUTE = Limit.of(10, Duration.ofMinutes(1));

    private final KeyTurns turns = new KeyTurns();

    /** Serves a key with its last waiting job. */
    private void serveLast(String key, long now) {
        assertThat(turns.next(now)).isEqualTo(key);
        turns.took(key, 1, now);
        turns.runs(key, true, now);
        turns.waits(key, false, now);
    }

    @Test
    void keysWithoutJobsAreForgottenOnceTheirTurnHasPassed() {
        for (int n = 0; n < 10_000; n++) {
            String key = "key " + n;
            turns.waits(key, true, n);
            serveLast(key, n);
            turns.runs(key, false, n);
        }
        assertThat(turns.size()).isLessThan(10);
    }

    @Test
    void aKeyIsKnownForAsLongAsItsStartsCount() {
        turns.limit(TEN_A_MINUTE, 0);
        for (int n = 0; n < 100; n++) {
            String key = "key " + n;
            turns.waits(key, true, n);
            serveLast(key, n);
            turns.runs(key, false, n);
        }
        assertThat(turns.size()).isEqualTo(100);
        assertThat(turns.next(StartWindow.span(TEN_A_MINUTE) * 2)).isNull();
        assertThat(turns.size()).isLessThan(10);
    }

    @Test
    void aRestThatAClockHasPutBeyondTheLongestCountsNoMore() {
        Rest rest = new Rest(Instant.ofEpochMilli(0).plus(Rest.AHEAD_MAX), JobId.of(1, 1), 1);
        turns.rest("a", rest, 0);
        turns.waits("a", true, 0);
        assertThat(turns.next(0)).isNull();
        KeyTurns later = new KeyTurns();
        later.rest("a", rest, -1);
        later.waits("a", true, -1);
        assertThat(later.next(-1)).as("after the clock was set back").isEqualTo("a");
    }

    @Test
    void aKeyIsKnownUntilItsRestIsOver() {
        turns.rest("a", new Rest(Instant.ofEpochMilli(1_000), JobId.of(1, 1), 1), 0);
        assertThat(turns.next(999)).isNull();
        assertThat(turns.size()).isEqualTo(1);
        assertThat(turns.next(1_000)).isNull();
        assertThat(turns.size()).isZero();
    }

    @Test
    void busyKeysGetAsMuchHandlerTime() {
        Random random = new Random(5);
        List<String> keys = List.of("a", "b", "c", "d", "e");
        Map<String, Double> used = new HashMap<>();
        Map<String, Duration> runs = Map.of("a", Duration.ofMillis(10), "b", Duration.ofMillis(20), "c",
                Duration.ofMillis(40), "d", Duration.ofMillis(5), "e", Duration.ofMillis(100));
        keys.forEach(key -> turns.waits(key, true, 0));
        turns.ran(runs);
        for (int n = 0; n < 5_000; n++) {
            String key = String.valueOf(turns.next(n));
            turns.took(key, 1, n);
            used.merge(key, (double) Objects.requireNonNull(runs.get(key)).toMillis(), Double::sum);
            if (random.nextInt(10) == 0) {
                turns.ran(runs);
            }
        }
        double least = used.values().stream().mapToDouble(each -> each).min().orElseThrow();
        double most = used.values().stream().mapToDouble(each -> each).max().orElseThrow();
        assertThat(used).containsOnlyKeys(keys);
        assertThat(most - least).as("handler time by key: %s", used).isLessThanOrEqualTo(2 * 100);
    }

    @Test
    void aFullKeyComesBackWithItsTurnWhenAJobEnds() {
        turns.limit(Limit.concurrency(1), 0);
        turns.waits("a", true, 0);
        turns.waits("b", true, 0);
        turns.took("a", 1, 0);
        turns.runs("a", true, 0);
        assertThat(turns.isHolding()).isTrue();
        for (int n = 0; n < 50; n++) {
            assertThat(turns.next(n)).isEqualTo("b");
            turns.took("b", 1, n);
        }
        turns.runs("a", false, 50);
        assertThat(turns.isHolding()).isFalse();
        assertThat(turns.next(50)).as("no credit for the time without a slot, and no wait").isEqualTo("a");
    }
}
