package dev.orderly.room.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.Line;
import dev.orderly.room.RoomState.Load;
import dev.orderly.room.RoomState.Pace;
import dev.orderly.room.SlowdownReason;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.VisitorId;
import dev.orderly.room.forecast.WaitEstimate.Cause;
import dev.orderly.room.gate.TokenIssuer;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.PresentPlaces;
import dev.orderly.room.token.Ticket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ForecasterTest {
    private static final Rate RATE = new Rate(10, Duration.ofSeconds(10));
    private static final Instant BEGUN = Instant.parse("2026-03-01T12:00:00Z");

    private final PresenceTable presence = new PresenceTable();
    private long admitted;
    private int active;
    private long length;
    private long second;

    private RoomState state(Limits limits, RoomMode mode, SlowdownReason slowed) {
        int waiting = (int) (length - admitted);
        int free = limits.mostPasses().map(most -> Math.max(0, most - active)).orElse(0);
        return new RoomState(new RoomName("sale"), 1, mode, null, new Line(length, admitted, length, true),
                new Load(active, free, Math.min(1, waiting), waiting, 0, 1), new Pace(0, 0, 0, 0, admitted), limits,
                slowed, null, Map.of(), Set.of(), now());
    }

    private Instant now() {
        return BEGUN.plusSeconds(second);
    }

    private RoomState state(Limits limits) {
        return state(limits, RoomMode.AUTO, SlowdownReason.NO);
    }

    private Forecaster forecaster(Limits limits) {
        return new Forecaster(state(limits), RoomOptions.of(limits));
    }

    /** Visitors take places now, and perhaps ask again. */
    private void come(Forecaster forecaster, int visitors, boolean back) {
        for (int n = 0; n < visitors; n++) {
            Ticket ticket = ticket(++length);
            forecaster.taken(ticket, presence);
            presence.seen(ticket.place(), now().plusSeconds(back ? 1_000_000 : 4).toEpochMilli());
            if (back) {
                forecaster.asked(ticket, presence, now());
            }
        }
    }

    private Ticket ticket(long place) {
        return new TokenIssuer(new RoomName("sale"), TokenLifetimes.DEFAULT).ticket(new VisitorId(1, place), 1, place,
                0, now());
    }

    /** A second with these numbers of admissions and departures. */
    private void pass(Forecaster forecaster, Limits limits, int entered, int left) {
        second++;
        for (int n = 0; n < entered; n++) {
            presence.gone(++admitted);
        }
        active += entered - left;
        forecaster.update(state(limits));
        forecaster.forecast(state(limits), presence, OtherLines.NONE, now());
    }

    private static double seconds(@Nullable Duration duration) {
        return (double) Objects.requireNonNull(duration).toSeconds();
    }

    @Test
    void noWaitIsEstimatedBeforeThePresenceOfVisitorsAheadIsKnown() {
        Limits limits = new Limits(null, RATE);
        Forecaster forecaster = forecaster(limits);
        come(forecaster, 300, false);
        pass(forecaster, limits, 10, 0);
        assertThat(forecaster.estimate(state(limits), 300, now())).isEqualTo(WaitEstimate.unknown(Cause.LEARNING));
    }

    @Test
    void theWaitUnderARateCountsPresentVisitorsAhead() {
        Limits limits = new Limits(null, RATE);
        Forecaster forecaster = forecaster(limits);
        come(forecaster, 100, false);
        come(forecaster, 100, true);
        pass(forecaster, limits, 10, 0);
        for (int n = 0; n < 8; n++) {
            pass(forecaster, limits, 0, 0);
        }
        WaitEstimate estimate = forecaster.estimate(state(limits), 201, now());
        assertThat(seconds(estimate.low())).isBetween(60.0, 101.0);
        assertThat(seconds(estimate.high())).isBetween(90.0, 140.0);
    }

    @Test
    void aFullRoomWithoutDeparturesGivesTheCauseOnly() {
        Limits limits = new Limits(20, null);
        Forecaster forecaster = forecaster(limits);
        come(forecaster, 100, true);
        pass(forecaster, limits, 20, 0);
        for (int n = 0; n < 60; n++) {
            pass(forecaster, limits, 0, 0);
        }
        assertThat(forecaster.estimate(state(limits), 100, now()))
                .isEqualTo(WaitEstimate.unknown(Cause.WAITS_FOR_LEAVERS));
    }

    @Test
    void inAFullRoomTheWaitFollowsDeparturesAndNotTheRate() {
        Limits limits = new Limits(50, new Rate(100, Duration.ofSeconds(1)));
        Forecaster forecaster = forecaster(limits);
        come(forecaster, 1_000, true);
        pass(forecaster, limits, 50, 0);
        for (int n = 0; n < 120; n++) {
            pass(forecaster, limits, 1, 1);
        }
        double wait = (double) (1_000 - admitted);
        WaitEstimate estimate = forecaster.estimate(state(limits), 1_000, now());
        assertThat(wait).isBetween(seconds(estimate.low()), seconds(estimate.high()));
        assertThat(seconds(estimate.high()) - seconds(estimate.low())).isLessThan(wait * 0.6);
    }

    @Test
    void anEstimateIsOfTheLastRoundHoweverLateItIsFirstAskedFor() {
        Limits limits = new Limits(50, null);
        Forecaster asked = forecaster(limits);
        come(asked, 400, true);
        pass(asked, limits, 50, 0);
        for (int n = 0; n < 60; n++) {
            pass(asked, limits, 2, 2);
        }
        RoomState state = state(limits);
        WaitEstimate estimate = asked.estimate(state, 250, now());
        asked.forecast(state, presence, OtherLines.NONE, now());
        Instant round = now();
        second += 5;
        active = 0;
        admitted += 100;
        asked.update(state(limits));
        assertThat(asked.estimate(state, 250, round)).isEqualTo(estimate);
        assertThat(estimate.high()).isNotNull();
    }

    @Test
    void aHeldLineHasNoEstimate() {
        Limits limits = new Limits(null, RATE);
        Forecaster forecaster = forecaster(limits);
        come(forecaster, 30, true);
        pass(forecaster, limits, 10, 0);
        WaitEstimate held = forecaster.estimate(state(limits, RoomMode.HOLD, SlowdownReason.NO), 30, now());
        assertThat(held).isEqualTo(WaitEstimate.unknown(Cause.HELD));
        assertThat(WaitEstimate.plan(held, 250)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void theCauseNamesTheSlowdown() {
        Limits limits = new Limits(null, RATE);
        Forecaster forecaster = forecaster(limits);
        assertThat(forecaster.estimate(state(limits, RoomMode.AUTO, SlowdownReason.HEALTH), 1, now()).cause())
                .isEqualTo(Cause.SLOWER_BUSY);
        assertThat(forecaster.estimate(state(limits, RoomMode.AUTO, SlowdownReason.BACKLOG), 1, now()).cause())
                .isEqualTo(Cause.SLOWER_BACKLOG);
    }

    /** The forecaster of a full room, whose visitors leave at an even pace, with 400 visitors in line at first. */
    private Forecaster inAFullRoomWithALine(Limits limits) {
        Forecaster forecaster = forecaster(limits);
        come(forecaster, 400, true);
        pass(forecaster, limits, 50, 0);
        for (int n = 0; n < 60; n++) {
            pass(forecaster, limits, 2, 2);
        }
        return forecaster;
    }

    @Test
    void aRangeEndsLaterThanThePreviousRangeOnlyWithACause() {
        Limits limits = new Limits(50, null);
        Forecaster forecaster = inAFullRoomWithALine(limits);
        Ticket last = ticket(400);
        WaitEstimate announced = forecaster.announce(state(limits), last, presence, now());
        double end = second + seconds(announced.high());
        for (int n = 0; n < 300; n++) {
            pass(forecaster, limits, n % 4 == 0 ? 1 : 0, n % 4 == 0 ? 1 : 0);
            WaitEstimate next = forecaster.announce(state(limits), last, presence, now());
            if (next.high() != null) {
                assertThat(next.cause() == Cause.SLOWER_LEAVERS || second + seconds(next.high()) <= end + 1)
                        .as("at %s: %s after the end %s", second, next, end).isTrue();
                end = second + seconds(next.high());
            }
        }
        assertThat(end).as("the estimate of a visitor who waits longer ends later").isGreaterThan((double) second);
    }

    private void share(Forecaster forecaster, Presence... known) {
        forecaster.share(new PresentPlaces(1, length, List.of(known)), presence, now());
    }

    private Presence known(long place, int seconds) {
        return new Presence(place, now().plusSeconds(seconds));
    }

    @Test
    void aVisitorWhomAnotherGateSawIsNotAbsent() {
        Limits limits = new Limits(null, RATE);
        Forecaster forecaster = forecaster(limits);
        Ticket ticket = ticket(++length);
        forecaster.taken(ticket, presence);
        presence.seen(1, now().plusSeconds(4).toEpochMilli());
        forecaster.asked(ticket, presence, now());
        second += 5;
        share(forecaster, known(1, 3));
        assertThat(forecaster.forecast(state(limits), presence, OtherLines.NONE, now()).absent()).isZero();
        second += 5;
        share(forecaster);
        assertThat(forecaster.forecast(state(limits), presence, OtherLines.NONE, now()).absent())
                .as("seen at the other gate last")
                .isZero();
        forecaster.alone();
        presence.seen(1, now().plusSeconds(1).toEpochMilli());
        forecaster.asked(ticket, presence, now());
        second += 5;
        assertThat(forecaster.forecast(state(limits), presence, OtherLines.NONE, now()).absent()).isOne();
    }

    @Test
    void theNumberAheadCountsThePresentAndAtFirstAllWhoMayComeBack() {
        Limits limits = new Limits(null, RATE);
        Forecaster forecaster = forecaster(limits);
        come(forecaster, 150, false);
        come(forecaster, 50, true);
        come(forecaster, 150, false);
        pass(forecaster, limits, 0, 0);
        Ticket last = ticket(351);
        assertThat(forecaster.announceAhead(state(limits), last, presence, Cause.STEADY)).as("nobody is known yet")
                .satisfies(ahead -> assertThat(ahead.number()).isGreaterThanOrEqualTo(350))
                .returns(false, PeopleAhead::isKnown);
        for (int n = 0; n < 10; n++) {
            pass(forecaster, limits, 0, 0);
        }
        assertThat(forecaster.announceAhead(state(limits), last, presence, Cause.STEADY).number())
                .as("of 350 places 50 have a visitor").isBetween(50L, 52L);
        assertThat(forecaster.announceAhead(state(limits), last, presence, Cause.STEADY).isKnown()).isTrue();
        assertThat(forecaster.announceAhead(state(limits), ticket(151), presence, Cause.STEADY).number())
                .as("places of visitors without a cookie").isBetween(0L, 2L);
        come(forecaster, 100, false);
        assertThat(forecaster.announceAhead(state(limits), ticket(451), presence, Cause.STEADY).number())
                .as("the newest places count by the share that comes back").isBetween(55L, 100L);
    }

    /** The visitors of the first places, present for four seconds. */
    private Presence[] known(int places) {
        return LongStream.rangeClosed(1, places).mapToObj(place -> known(place, 4)).toArray(Presence[]::new);
    }

    /** The visitors of the first twenty places go on asking, whichever gate. */
    private void twentyStay(Forecaster forecaster, Limits limits) {
        for (int n = 0; n < 12; n++) {
            pass(forecaster, limits, 0, 0);
            share(forecaster, known(20));
        }
        pass(forecaster, limits, 0, 0);
    }

    @Test
    void everyGateKnowsTheShareOfVisitorsWhoCameBackToAnyGate() {
        Limits limits = new Limits(null, RATE);
        Forecaster forecaster = forecaster(limits);
        length = 40;
        forecaster.update(state(limits));
        share(forecaster, known(40));
        twentyStay(forecaster, limits);
        assertThat(forecaster.showShare().orElseThrow()).isBetween(0.45, 0.55);
    }

    @Test
    void aSecondReportOfTheFirstRequestIsNoReturn() {
        Limits limits = new Limits(null, RATE);
        Forecaster forecaster = forecaster(limits);
        length = 40;
        forecaster.update(state(limits));
        share(forecaster, known(40));
        Instant again = now().plusMillis(4_900);
        pass(forecaster, limits, 0, 0);
        share(forecaster, LongStream.rangeClosed(1, 40).mapToObj(place -> new Presence(place, again))
                .toArray(Presence[]::new));
        twentyStay(forecaster, limits);
        assertThat(forecaster.showShare().orElseThrow()).isBetween(0.45, 0.55);
    }

    @Test
    void whatAnotherGateToldTheVisitorBindsThisOne() {
        Limits limits = new Limits(50, null);
        Forecaster forecaster = inAFullRoomWithALine(limits);
        Ticket plain = ticket(400);
        WaitEstimate own = forecaster.estimate(state(limits), 400, now());
        Instant end = now().plus(Objects.requireNonNull(own.high()).minusSeconds(3));
        Ticket told = plain.withTold(new Ticket.Told(end, 100));
        forecaster.asked(told, presence, now());
        WaitEstimate announced = forecaster.announce(state(limits), told, presence, now());
        assertThat(now().plus(Objects.requireNonNull(announced.high()))).isEqualTo(end);
        assertThat(forecaster.announceAhead(state(limits), told, presence, Cause.STEADY).number()).isEqualTo(100);
        assertThat(forecaster.announceAhead(state(limits), told, presence, Cause.SLOWER_RETURNS).number())
                .isGreaterThan(100);
    }
}
