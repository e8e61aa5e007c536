package dev.orderly.testkit.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.flow.Loop;
import dev.orderly.testkit.ManualTime;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTest {
    private final ManualTime time = new ManualTime();
    private final AtomicInteger steps = new AtomicInteger();
    private final Loop loop = new Loop("test", time, () -> {
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
    void stepsAtOnceAndThenWhenItsTimeHasComeOrWhenItIsRung() {
        loop.start();
        awaitSteps(1);
        time.advance(Duration.ofSeconds(59));
        assertThat(steps).hasValue(1);
        time.advance(Duration.ofSeconds(1));
        awaitSteps(2);
    }

    @Test
    void aRingBringsTheNextStepAtOnce() {
        loop.start();
        awaitSteps(1);
        loop.ring();
        awaitSteps(2);
    }

    @Test
    void aStepThatEndsInAnErrorIsRepeatedAfterASecond() {
        AtomicInteger tries = new AtomicInteger();
        Loop failing = new Loop("failing", time, () -> {
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
    void onceStoppedItStepsNoMore() {
        loop.start();
        awaitSteps(1);
        loop.stop(Duration.ofSeconds(5));
        loop.ring();
        time.advance(Duration.ofHours(1));
        assertThat(time.parked()).isZero();
        assertThat(steps).hasValue(1);
    }
}
