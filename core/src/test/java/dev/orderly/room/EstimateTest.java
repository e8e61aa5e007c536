package dev.orderly.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.DURATION;

import dev.orderly.room.Estimate.Cause;
import dev.orderly.room.RoomState.Pace;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EstimateTest {
    private static final States OPEN = States.of(new Limits(100, null));
    private static final Rate RATE = new Rate(60, Duration.ofMinutes(1));

    private static Estimate of(States room, long ahead) {
        return Estimate.of(room.state(), ahead);
    }

    @Test
    void theLowEndIsNeverAboveTheHighOne() {
        Random random = new Random(1);
        for (int n = 0; n < 20_000; n++) {
            int called60 = random.nextInt(random.nextBoolean() ? 3 : 5_000);
            int called10 = random.nextInt(called60 + 1);
            int admitted60 = random.nextInt(called60 + 1);
            Pace pace = new Pace(random.nextInt(admitted60 + 1), admitted60, called10, called60, admitted60);
            Rate rate = random.nextBoolean() ? null : new Rate(1 + random.nextInt(1_000), RATE.period());
            States room = States.of(new Limits(random.nextInt(200), rate)).with(pace)
                    .with(States.load(random.nextInt(200), 0));
            Estimate estimate = of(room, random.nextInt(1_000_000));
            if (rate != null || called60 > 0) {
                assertThat(estimate.low()).as("%s", room).isPositive().isLessThanOrEqualTo(estimate.high());
                assertThat(estimate.high()).isLessThanOrEqualTo(Duration.ofDays(7));
            } else {
                assertThat(estimate.low()).isNull();
                assertThat(estimate.high()).isNull();
            }
        }
    }

    @Test
    void theWaitIsThoseBeforeOneByThePaceOfTheLastMinute() {
        Estimate estimate = of(OPEN.with(States.pace(100, 600)), 6_000);
        assertThat(estimate.low()).isBetween(Duration.ofSeconds(500), Duration.ofSeconds(600));
        assertThat(estimate.high()).isBetween(Duration.ofSeconds(600), Duration.ofSeconds(800));
    }

    @Test
    void whereManyOfTheCalledStayAwayARateGoesFurther() {
        States room = States.of(new Limits(null, RATE)).with(new Pace(10, 60, 40, 240, 60));
        assertThat(of(room, 400).low()).isLessThan(Duration.ofSeconds(110));
    }

    @Test
    void aHeldLineSaysNothing() {
        Estimate held = of(OPEN.with(States.pace(100, 600)).with(RoomMode.HOLD), 5);
        assertThat(held).isEqualTo(new Estimate(null, null, Cause.HELD));
        assertThat(Estimate.plan(held, 50)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void eachReasonIsNamed() {
        States steady = OPEN.with(States.pace(100, 600));
        States full = OPEN.with(States.load(100, 0));
        assertThat(of(steady, 1).cause()).isEqualTo(Cause.STEADY);
        assertThat(of(steady.with(Slowed.HEALTH), 1).cause()).isEqualTo(Cause.SLOWER_BUSY);
        assertThat(of(steady.with(Slowed.BACKLOG), 1).cause()).isEqualTo(Cause.SLOWER_BACKLOG);
        assertThat(of(OPEN.with(States.pace(50, 100)), 1).cause()).isEqualTo(Cause.FASTER);
        assertThat(of(full, 1).cause()).isEqualTo(Cause.WAITS_FOR_LEAVERS);
        assertThat(of(full.with(States.pace(1, 6)), 1).cause()).isEqualTo(Cause.WAITS_FOR_LEAVERS);
        assertThat(of(OPEN, 1).cause()).isEqualTo(Cause.LEARNING);
    }

    @Test
    void aNewcomerStandsBehindEverybody() {
        RoomState state = OPEN.with(States.pace(100, 600)).state();
        assertThat(Estimate.forNewcomer(state)).isEqualTo(Estimate.of(state, States.LENGTH - States.CURSOR));
    }

    @Test
    void theNextQuestionIsPlannedByTheLowEnd() {
        Estimate estimate = of(OPEN.with(States.pace(100, 600)), 6_000);
        assertThat(Estimate.plan(estimate, 6_000)).asInstanceOf(DURATION).isEqualTo(estimate.low());
    }
}
