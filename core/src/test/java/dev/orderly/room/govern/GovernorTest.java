package dev.orderly.room.govern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState.Pace;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.States;
import dev.orderly.room.govern.Governor.Signals;
import dev.orderly.room.govern.Governor.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class GovernorTest {
    private static final Limits LIMITS = new Limits(100, new Rate(30, Duration.ofSeconds(15)));
    private static final States ROOM = States.of(LIMITS);

    private static Step tick(States room, Signals signals) {
        return Governor.tick(room.state(), RoomOptions.of(LIMITS), signals);
    }

    @Test
    void theDoorHoldsTheVisitorsWhoCouldEnterNowAndOneMore() {
        assertThat(tick(ROOM.with(States.load(60, 40)), Signals.FINE).door()).isEqualTo(41);
        assertThat(tick(ROOM.with(States.load(100, 0)), Signals.FINE).door()).isOne();
    }

    @Test
    void theDoorAlsoHoldsTheVisitorsExpectedWithinThreeSeconds() {
        States room = ROOM.with(States.load(100, 0));
        assertThat(tick(room.with(States.pace(20, 60)), Signals.FINE).door()).isEqualTo(7);
        assertThat(tick(room.with(States.pace(0, 600)), Signals.FINE).door()).isEqualTo(31);
    }

    @Test
    void rarePollsCallMoreVisitorsAheadForTenSecondsAtMost() {
        States busy = ROOM.with(States.load(100, 0)).with(States.pace(20, 120));
        assertThat(door(busy, 2)).isEqualTo(7);
        assertThat(door(busy, 5)).isEqualTo(16);
        assertThat(door(busy, 60)).isEqualTo(21);
    }

    @Test
    void outsideOfTheOpeningsNobodyIsCalledAndThoseWhoEnterFirstAreReportedBefore() {
        Opening opening = new Opening(Instant.EPOCH.plusSeconds(1).atZone(ZoneOffset.UTC), Duration.ofSeconds(1), null,
                null);
        RoomOptions options = RoomOptions.of(new Limits(5_000, null));
        States room = ROOM.with(States.load(0, 0));
        Step lobby = Governor.tick(room.state(), options.withOpenings(new Openings(List.of(opening), true)),
                Signals.FINE);
        assertThat(lobby.limits()).isEqualTo(Limits.CLOSED);
        assertThat(lobby.door()).isZero();
        assertThat(lobby.horizon()).isEqualTo(room.state().line().cursor() + 20_000);
        Opening begun = new Opening(Instant.EPOCH.atZone(ZoneOffset.UTC), Duration.ZERO, null, null);
        assertThat(Governor.tick(room.state(), options.withOpenings(new Openings(List.of(begun), false)), Signals.FINE))
                .isEqualTo(Governor.tick(room.state(), options, Signals.FINE));
    }

    private static int door(States room, int secondsBetweenPolls) {
        PollPolicy poll = new PollPolicy(Duration.ofSeconds(secondsBetweenPolls), Duration.ofSeconds(60));
        return Governor.tick(room.state(), RoomOptions.of(LIMITS).withPoll(poll), Signals.FINE).door();
    }

    @Test
    void theDoorIsBoundedWithoutOtherLimits() {
        assertThat(tick(ROOM.with(States.load(0, Integer.MAX_VALUE)), Signals.FINE).door()).isEqualTo(1_000_000);
    }

    @Test
    void theHorizonReachesPastAbsentVisitors() {
        States few = ROOM.with(States.load(60, 40));
        assertThat(tick(few, Signals.FINE).horizon()).isEqualTo(States.CURSOR + 1_000);
        States absent = ROOM.with(States.load(0, 993)).with(new Pace(20, 100, 200, 1_000, 100));
        assertThat(tick(absent, Signals.FINE).door()).isEqualTo(1_000);
        assertThat(tick(absent, Signals.FINE).horizon()).isEqualTo(States.CURSOR + 40_000);
    }

    @Test
    void theHorizonStaysBoundedWithFewPresentVisitors() {
        States deserted = ROOM.with(States.load(0, 999)).with(new Pace(0, 0, 0, 1_000, 0));
        assertThat(tick(deserted, Signals.FINE).horizon()).isEqualTo(States.CURSOR + 80_000);
    }

    @Test
    void backlogScalesTheLimitsDownToNothing() {
        assertThat(tick(ROOM, Signals.FINE)).extracting(Step::limits, Step::slowed).containsExactly(LIMITS,
                SlowdownReason.NO);
        assertThat(tick(ROOM, new Signals(Integer.MAX_VALUE, 0.5))).extracting(Step::limits, Step::slowed)
                .containsExactly(new Limits(50, new Rate(15, Duration.ofSeconds(15))), SlowdownReason.BACKLOG);
        assertThat(tick(ROOM, new Signals(Integer.MAX_VALUE, 0.001)).limits().capacity()).isOne();
        assertThat(tick(ROOM, new Signals(Integer.MAX_VALUE, 0))).extracting(Step::limits, Step::slowed)
                .containsExactly(Limits.CLOSED, SlowdownReason.BACKLOG);
    }

    @Test
    void anOverloadedOriginBoundsTheCapacityAndAHealthyOriginDoesNot() {
        assertThat(tick(ROOM, new Signals(40, 1))).extracting(Step::limits, Step::slowed)
                .containsExactly(new Limits(40, LIMITS.rate()), SlowdownReason.HEALTH);
        assertThat(tick(ROOM, new Signals(400, 1))).extracting(Step::limits, Step::slowed)
                .containsExactly(LIMITS, SlowdownReason.NO);
    }
}
