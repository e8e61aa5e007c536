package dev.orderly.testkit.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.flow.BackgroundLoop;
import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTest {
    private final ManualTime time = new ManualTime();
    private final AtomicInteger steps = new AtomicInteger();
    private final BackgroundLoop loop = new BackgroundLoop("test", time, () -> {
        if (steps.incrementAndGet() == 3) {
            throw new IllegalStateException("the third step fails");
        }
        return Duration.ofMinutes(1);
    });

    @AfterEach
    void stop() {
        loop.stop(Duration.ofSeconds(5));
    }

    private void awaitSteps(int count) {
        await().until(() -> steps.get() == count && time.parked() == 1);
    }

    @Test
    void aLoopStepsAtOnceAndThenWhenItsWaitEndsOrItIsRung() {
        loop.start();
        awaitSteps(1);
        time.advance(Duration.ofSeconds(59));
        assertThat(steps).hasValue(1);
        time.advance(Duration.ofSeconds(1));
        awaitSteps(2);
    }

    @Test
    void aRingStartsTheNextStepAtOnce() {
        loop.start();
        awaitSteps(1);
        loop.ring();
        awaitSteps(2);
    }

    @Test
    void aStepThatEndsInAnErrorIsRepeatedAfterASecond() {
        AtomicInteger tries = new AtomicInteger();
        BackgroundLoop failing = new BackgroundLoop("failing", time, () -> {
            if (tries.incrementAndGet() == 1) {
                throw new NoClassDefFoundError("of the first step");
            }
            return Duration.ofMinutes(1);
        });
        failing.start();
        await().until(() -> tries.get() == 1 && time.parked() == 1);
        time.advance(Duration.ofSeconds(1));
        await().until(() -> tries.get() == 2);
        failing.stop(Duration.ofSeconds(5));
    }

    @Test
    void aStepThatFailsIsRepeatedAfterASecond() {
        loop.start();
        awaitSteps(1);
        loop.ring();
        awaitSteps(2);
        loop.ring();
        awaitSteps(3);
        time.advance(Duration.ofSeconds(1));
        awaitSteps(4);
    }

    @Test
    void aRoundIsOverdueFromItsDueTimeUntilAStepReturns() {
        CountDownLatch held = new CountDownLatch(1);
        AtomicInteger tries = new AtomicInteger();
        BackgroundLoop slow = new BackgroundLoop("slow", time, () -> {
            if (tries.incrementAndGet() == 2) {
                hold(held);
            }
            return Duration.ofMinutes(1);
        });
        assertThat(slow.overdue()).isZero();
        slow.start();
        await().until(() -> tries.get() == 1 && time.parked() == 1);
        time.advance(Duration.ofSeconds(59));
        assertThat(slow.overdue()).as("while it waits").isZero();
        time.advance(Duration.ofSeconds(1));
        await().until(() -> tries.get() == 2);
        time.advance(Duration.ofSeconds(40));
        assertThat(slow.overdue()).isEqualTo(Duration.ofSeconds(40));
        assertThat(slow.stall(Duration.ofSeconds(40))).isEmpty();
        assertThat(slow.stall(Duration.ofSeconds(39))).hasValue("The slow loop has made no round for 40 s");
        held.countDown();
        await().until(() -> slow.overdue().isZero());
        slow.stop(Duration.ofSeconds(5));
        time.advance(Duration.ofHours(1));
        assertThat(slow.overdue()).as("once it is stopped").isZero();
    }

    @Test
    void aRoundThatAlwaysFailsIsOverdue() {
        AtomicInteger tries = new AtomicInteger();
        BackgroundLoop failing = new BackgroundLoop("failing", time, () -> {
            tries.incrementAndGet();
            throw new IllegalStateException("each step fails");
        });
        failing.start();
        for (int second = 1; second <= 5; second++) {
            int before = second;
            await().until(() -> tries.get() == before && time.parked() == 1);
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(failing.overdue()).isEqualTo(Duration.ofSeconds(5));
        failing.stop(Duration.ofSeconds(5));
    }

    private static void hold(CountDownLatch held) {
        try {
            assertThat(held.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aStoppedLoopMakesNoStep() {
        loop.start();
        awaitSteps(1);
        loop.stop(Duration.ofSeconds(5));
        loop.ring();
        time.advance(Duration.ofHours(1));
        assertThat(time.parked()).isZero();
        assertThat(steps).hasValue(1);
    }
}
