package dev.orderly.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.store.StoreException;
import dev.orderly.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class AlignedTimeTest {
    private final ManualTime own = new ManualTime();
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ofSeconds(100));

    private final Instant start = own.now();

    /** The other clock, which only the test sets. */
    private Instant other() {
        return start.plusNanos(own.nanos()).plus(ahead.get());
    }

    @Test
    void itFollowsTheOtherClockWhateverTheOwnClockShows() {
        Time aligned = Time.aligned(own, this::other);
        assertThat(aligned.now()).isEqualTo(other());
        Instant right = other();
        own.jump(Duration.ofHours(-5));
        own.advance(Duration.ofSeconds(1));
        assertThat(aligned.now()).isEqualTo(right.plusSeconds(1));
    }

    @Test
    void aSuspensionWithAStillMonotonicClockIsCorrectedAtOnce() {
        Time aligned = Time.aligned(own, this::other);
        own.jump(Duration.ofHours(1));
        ahead.set(ahead.get().plusHours(1));
        await().until(() -> aligned.now().equals(other()));
        assertThat(aligned.wall()).isEqualTo(own.now());
    }

    @Test
    void realignCorrectsIt() {
        Time aligned = Time.aligned(own, this::other);
        ahead.set(Duration.ofHours(-1));
        aligned.realign();
        await().until(() -> aligned.now().equals(other()));
    }

    @Test
    void theQuickestAnswerCounts() {
        Queue<Duration> ways = new ArrayDeque<>(List.of(Duration.ofMillis(80), Duration.ofMillis(2),
                Duration.ofMillis(300), Duration.ofMillis(40), Duration.ofMillis(90)));
        Time aligned = Time.aligned(own, () -> {
            Duration way = ways.remove();
            own.advance(way.dividedBy(4));
            Instant answer = other();
            own.advance(way.multipliedBy(3).dividedBy(4));
            return answer;
        });
        assertThat(Duration.between(other(), aligned.now()).abs()).isLessThanOrEqualTo(Duration.ofMillis(1));
    }

    @Test
    void itIsCorrectedEachMinuteAndKeepsItsOffsetWithoutAnAnswer() {
        AtomicReference<Boolean> away = new AtomicReference<>(false);
        Time aligned = Time.aligned(own, () -> {
            if (away.get()) {
                throw new StoreException.Unavailable("away", null);
            }
            return other();
        });
        ahead.set(Duration.ofSeconds(-7));
        away.set(true);
        own.advance(Duration.ofSeconds(61));
        assertThat(Duration.between(own.now(), aligned.now())).isEqualTo(Duration.ofSeconds(100));
        away.set(false);
        await().until(() -> {
            own.advance(Duration.ofSeconds(61));
            return Duration.between(own.now(), aligned.now()).equals(Duration.ofSeconds(-7));
        });
    }

    @Test
    void withoutAFirstAnswerItCannotBeMade() {
        assertThatThrownBy(() -> Time.aligned(own, () -> {
            throw new StoreException.Unavailable("away", null);
        })).isInstanceOf(StoreException.Unavailable.class);
    }
}
