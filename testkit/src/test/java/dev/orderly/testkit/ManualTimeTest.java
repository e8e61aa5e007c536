package dev.orderly.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ManualTimeTest {
    private final ManualTime time = new ManualTime();

    @Test
    void bothClocksStandStillUntilAdvanced() {
        Instant start = time.now();
        long nanos = time.nanos();
        assertThat(time.now()).isEqualTo(start);
        time.advance(Duration.ofSeconds(3));
        assertThat(time.now()).isEqualTo(start.plusSeconds(3));
        assertThat(time.nanos() - nanos).isEqualTo(3_000_000_000L);
    }

    @Test
    void aJumpMovesOnlyTheWallClock() {
        Instant start = time.now();
        long nanos = time.nanos();
        time.jump(Duration.ofHours(-2));
        assertThat(time.now()).isEqualTo(start.minusSeconds(7_200));
        assertThat(time.nanos()).isEqualTo(nanos);
    }

    @Test
    void timeDoesNotPassBackwards() {
        assertThatIllegalArgumentException().isThrownBy(() -> time.advance(Duration.ofSeconds(-1)))
                .withMessageContaining("jump");
    }

    @Test
    void aParkedThreadReturnsAtItsDeadline() throws InterruptedException {
        Thread sooner = parked(Duration.ofSeconds(1));
        Thread later = parked(Duration.ofSeconds(2));
        await().atMost(Duration.ofMinutes(1)).until(() -> time.parked() == 2);
        time.jump(Duration.ofHours(1));
        time.advance(Duration.ofMillis(1_500));
        assertThat(sooner.join(Duration.ofSeconds(60))).isTrue();
        await().atMost(Duration.ofMinutes(1)).until(() -> time.parked() == 1);
        assertThat(later.isAlive()).isTrue();
        time.advance(Duration.ofMillis(500));
        assertThat(later.join(Duration.ofSeconds(60))).isTrue();
    }

    @Test
    void aPastDeadlineDoesNotPark() {
        time.park(time.nanos());
        assertThat(time.parked()).isZero();
    }

    @Test
    void anUnparkedThreadReturnsBeforeItsDeadline() throws InterruptedException {
        Thread thread = Thread.startVirtualThread(() -> time.park(time.deadline(Duration.ofSeconds(1))));
        await().atMost(Duration.ofMinutes(1)).until(() -> time.parked() == 1);
        LockSupport.unpark(thread);
        assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
        assertThat(time.parked()).isZero();
    }

    @Test
    void anInterruptedThreadReturnsWithItsFlagSet() {
        Thread.currentThread().interrupt();
        time.park(time.deadline(Duration.ofDays(1)));
        assertThat(Thread.interrupted()).isTrue();
    }

    private Thread parked(Duration wait) {
        long deadline = time.deadline(wait);
        return Thread.startVirtualThread(() -> {
            while (!time.reached(deadline)) {
                time.park(deadline);
            }
        });
    }
}
