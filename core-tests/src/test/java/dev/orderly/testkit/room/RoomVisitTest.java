package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.LimitTimetable;
import dev.orderly.room.Limits;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.gate.RoomListener;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.store.RoomChange;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoomVisitTest extends RoomTest {
    private final Gate gate = gate(room(2));

    @Test
    void anAdmittedRequestMakesNoStoreCall() {
        ShownTokens pass = pass(gate.arrive(pass(gate.arrive()))); // showing a pass for the first time extends it
        int before = rooms.calls().get();
        for (int i = 0; i < 100; i++) {
            assertThat(admitted(gate.arrive(pass)).token()).isNull();
        }
        assertThat(rooms.calls()).hasValue(before);
    }

    @Test
    void aWaitingPollMakesNoStoreCall() {
        gate.arrive();
        gate.arrive();
        List<ShownTokens> line = List.of(ticket(gate.arrive()), ticket(gate.arrive()), ticket(gate.arrive()));
        int before = rooms.calls().get();
        line.forEach(ticket -> assertThat(waiting(gate.arrive(ticket)).token()).isNull());
        assertThat(rooms.calls()).hasValue(before);
    }

    @Test
    void ofFiftyRequestsAfterTheHalfLifeOneRenews() {
        ShownTokens pass = pass(gate.arrive());
        time.advance(Duration.ofSeconds(31));
        int before = rooms.calls().get();
        for (int i = 0; i < 50; i++) {
            assertThat(admitted(gate.arrive(pass)).token()).isNotNull();
        }
        assertThat(rooms.calls()).hasValue(before + 1);
    }

    @Test
    void aRenewedPassEqualsItsToken() {
        ShownTokens pass = pass(gate.arrive());
        time.advance(Duration.ofSeconds(31));
        Visit.Admitted renewed = admitted(gate.arrive(pass));
        assertThat(tokens.pass(String.valueOf(renewed.token()), NAME, 1, time.now())).contains(renewed.pass());
    }

    @Test
    void aRepeatedRequestAfterALostAnswerGetsARenewedPass() {
        ShownTokens first = pass(gate.arrive());
        gate.arrive();
        ShownTokens ticket = ticket(gate.arrive());
        gate.room().visits().leave(first);
        pass(3, gate);
        Instant lost = admitted(gate.arrive(ticket)).pass().expiresAt();
        pass(200, gate);
        Visit.Admitted again = admitted(gate.arrive(ticket));
        assertThat(again.pass().expiresAt()).isEqualTo(lost.plusSeconds(200));
        assertThat(tokens.pass(String.valueOf(again.token()), NAME, 1, time.now())).contains(again.pass());
        pass(200, gate);
        admitted(gate.arrive(new ShownTokens(List.of(), List.of(String.valueOf(again.token())))));
    }

    @Test
    void twoTabsShareOnePlaceAndOnePass() {
        ShownTokens first = pass(gate.arrive());
        gate.arrive();
        ShownTokens ticket = ticket(gate.arrive());
        long place = waiting(gate.arrive(ticket)).position().ticket().place();
        assertThat(waiting(gate.arrive(ticket)).position().ticket().place()).isEqualTo(place);
        gate.room().visits().leave(first);
        pass(3, gate);
        Visit.Admitted tab = admitted(gate.arrive(ticket));
        assertThat(admitted(gate.arrive(ticket)).pass().visitor()).isEqualTo(tab.pass().visitor());
        gate.engine().step();
        assertThat(gate.room().state().load().active()).isEqualTo(2);
    }

    @Test
    void aPollingVisitorIsCalled() {
        ShownTokens first = pass(gate.arrive());
        gate.arrive();
        ShownTokens ticket = ticket(gate.arrive());
        gate.room().visits().leave(first);
        pass(2, gate);
        assertThat(gate.room().state().line().cursor()).isEqualTo(3);
        admitted(gate.arrive(ticket));
    }

    @Test
    void aVisitorWhoseAnswerIsUnderWayIsNotOvertaken() {
        ShownTokens first = pass(gate.arrive());
        gate.arrive();
        ShownTokens ticket = ticket(gate.arrive());
        ShownTokens behind = ticket(gate.arrive());
        pass(1, gate);
        Runnable sent = gate.room().visits().answering(waiting(gate.arrive(ticket)));
        pass(8, gate);
        gate.room().visits().leave(first);
        pass(1, gate);
        waiting(gate.arrive(behind));
        sent.run();
        pass(2, gate);
        waiting(gate.arrive(behind));
        admitted(gate.arrive(ticket));
    }

    @Test
    void aRequestWhoseEndIsNeverReportedKeepsItsVisitorPresentForTwentySeconds() {
        ShownTokens first = pass(gate.arrive());
        gate.arrive();
        ShownTokens ticket = ticket(gate.arrive());
        ShownTokens behind = ticket(gate.arrive());
        pass(1, gate);
        var _ = gate.room().visits().answering(waiting(gate.arrive(ticket)));
        pass(17, gate);
        gate.room().visits().leave(first);
        pass(1, gate);
        waiting(gate.arrive(behind));
        pass(8, gate);
        admitted(gate.arrive(behind));
    }

    @Test
    void aConnectedVisitorGetsItsTurnWithoutARequest() {
        ShownTokens first = pass(gate.arrive());
        gate.arrive();
        ShownTokens ticket = ticket(gate.arrive());
        RecordingListener listener = new RecordingListener();
        assertThat(gate.room().visits().listen(ticket, listener)).isTrue();
        pass(5, gate);
        assertThat(listener.turn).isFalse();
        assertThat(listener.positions).isNotEmpty();
        gate.room().visits().leave(first);
        pass(2, gate);
        assertThat(listener.turn).isTrue();
        admitted(gate.arrive(ticket));
    }

    @Test
    void aListenerThatThrowsAffectsNoOther() {
        gate.arrive();
        gate.arrive();
        ShownTokens ticket = ticket(gate.arrive());
        RecordingListener good = new RecordingListener();
        gate.room().visits().listen(ticket, new ThrowingEar());
        gate.room().visits().listen(ticket, good);
        pass(3, gate);
        assertThat(good.positions).isNotEmpty();
    }

    @Test
    void modeAndMessageReachListenersInTheNextRound() {
        gate.arrive();
        gate.arrive();
        RecordingListener listener = new RecordingListener();
        gate.room().visits().listen(ticket(gate.arrive()), listener);
        pass(1, gate);
        int before = listener.positions.size();
        gate.engine().change(NAME, RoomChange.Message.of("Back in five minutes"));
        gate.engine().step();
        assertThat(listener.positions).hasSize(before + 1);
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.HOLD));
        gate.engine().step();
        assertThat(listener.positions).hasSize(before + 2);
        assertThat(listener.positions.getLast().estimate().low()).isNull();
    }

    @Test
    void aClientWithoutCookiesHoldsCapacityForAMinuteAtMost() {
        gate.arrive();
        gate.arrive();
        waiting(gate.arrive());
        pass(61, gate);
        assertThat(gate.room().state().load().active()).isZero();
    }

    @Test
    void anAddressTakesNoMorePlacesThanAllowed() {
        Gate strict = gate("b",
                room(2).withAddresses(new AddressLimits(new Rate(3, Duration.ofMinutes(1)), null, null)),
                RoomSignals.none());
        pass(1, gate, strict);
        for (int i = 0; i < 3; i++) {
            assertThat(strict.arrive()).isNotInstanceOf(Visit.TooMany.class);
        }
        assertThat(strict.arrive()).isInstanceOf(Visit.TooMany.class);
        time.advance(Duration.ofSeconds(60));
        assertThat(strict.arrive()).isNotInstanceOf(Visit.TooMany.class);
    }

    @Test
    void aRevokedPassIsVoidHereAtOnceAndElsewhereWithinARound() {
        Gate other = gate("b", room(2), RoomSignals.none());
        pass(2, gate, other);
        Visit.Admitted visit = admitted(gate.arrive());
        ShownTokens pass = pass(visit);
        admitted(other.arrive(pass));
        gate.engine().revoke(NAME, visit.pass().visitor());
        assertThat(answer(gate.room().visits().enter(pass))).isInstanceOf(Visit.NoTicket.class);
        other.engine().step();
        assertThat(answer(other.room().visits().enter(pass))).isInstanceOf(Visit.NoTicket.class);
    }

    @Test
    void forgedTicketsAndTicketsOfAnotherEpochCountAsNone() {
        gate.arrive();
        gate.arrive();
        ShownTokens ticket = ticket(gate.arrive());
        String text = ticket.tickets().getFirst();
        ShownTokens forged = new ShownTokens(List.of(text.substring(0, text.length() - 2) + "xx", "nonsense"),
                List.of());
        assertThat(answer(gate.room().visits().enter(forged))).isInstanceOf(Visit.NoTicket.class);
        assertThat(answer(gate.room().visits().enter(new ShownTokens(List.of(), List.of(text)))))
                .isInstanceOf(Visit.NoTicket.class);
        gate.engine().change(NAME, new RoomChange.NewEpoch());
        gate.engine().step();
        assertThat(answer(gate.room().visits().enter(ticket))).isInstanceOf(Visit.NoTicket.class);
    }

    @Test
    void eachModeAdmitsAndRefusesAsDefined() {
        ShownTokens pass = pass(gate.arrive());
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.HOLD));
        gate.engine().step();
        ShownTokens ticket = ticket(gate.arrive());
        admitted(gate.arrive(pass));
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.REJECT));
        gate.engine().step();
        assertThat(gate.arrive(ticket)).isInstanceOf(Visit.TurnedAway.class);
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.DRAIN));
        gate.engine().step();
        assertThat(gate.arrive()).isInstanceOf(Visit.TurnedAway.class);
        admitted(gate.arrive(ticket));
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.OPEN));
        gate.engine().step();
        assertThat(gate.arrive()).isInstanceOf(Visit.Ungated.class);
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.SHADOW));
        gate.engine().step();
        assertThat(gate.arrive()).isInstanceOf(Visit.Ungated.class);
    }

    @Test
    void anOperatorAdmitsWhileTheLineIsHeld() {
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.HOLD));
        gate.engine().step();
        ShownTokens first = ticket(gate.arrive());
        ShownTokens second = ticket(gate.arrive());
        gate.engine().change(NAME, new RoomChange.Admit(1));
        pass(2, gate);
        waiting(gate.arrive(second));
        admitted(gate.arrive(first));
        waiting(gate.arrive(second));
    }

    @Test
    void backlogSlowsAndStopsAdmission() {
        double[] backlog = {0.5};
        Gate slowed = gate("b", room(10), new RoomSignals(RoomSignals.none().traffic(), () -> backlog[0]));
        gate.engine().close();
        pass(12, slowed);
        for (int i = 0; i < 5; i++) {
            admitted(slowed.arrive());
        }
        waiting(slowed.arrive());
        backlog[0] = 0;
        pass(60, slowed);
        waiting(slowed.arrive());
    }

    @Test
    void changedLimitsHoldFromTheNextRoundAndAnAddressCountsAnew() {
        Gate changed = gate("b", room(1), RoomSignals.none());
        gate.engine().close();
        pass(12, changed);
        admitted(changed.arrive());
        ShownTokens ticket = ticket(changed.arrive());

        changed.room().change(
                room(3).withAddresses(new AddressLimits(new Rate(1, Duration.ofMinutes(1)), null, null)));
        pass(2, changed);

        admitted(changed.arrive(ticket));
        admitted(changed.arrive());
        assertThat(changed.arrive()).isInstanceOf(Visit.TooMany.class);
        changed.room().change(room(3));
        waiting(changed.arrive());
    }

    @Test
    void lifetimesDoNotChangeWhileARoomRuns() {
        RoomOptions other = room(1).withPoll(new PollPolicy(Duration.ofSeconds(3), Duration.ofSeconds(40)));
        assertThatThrownBy(() -> gate.room().change(other)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("restart");
        assertThat(gate.room().options()).isNotEqualTo(other);
    }

    private static final class ThrowingEar implements RoomListener {
        @Override
        public void update(LinePosition position) {
            throw new IllegalStateException("A broken connection");
        }

        @Override
        public void turn() {
            throw new IllegalStateException("A broken connection");
        }

        @Override
        public void ended() {
            throw new IllegalStateException("A broken connection");
        }
    }

    @Test
    void limitsByTheClockHoldFromTheirTimeAndAnOperatorsLimitsPrecedeThem() {
        ZonedDateTime soon = time.now().atZone(ZoneId.of("Europe/Berlin")).plusSeconds(30);
        gate.room().change(room(2).withTimetable(new LimitTimetable(soon.getZone(),
                List.of(new LimitTimetable.Entry(new LimitTimetable.From(null, soon.toLocalTime()),
                        new Limits(3, null))))));
        gate.arrive();
        gate.arrive();
        ShownTokens third = ticket(gate.arrive());
        ShownTokens fourth = ticket(gate.arrive());
        for (int second = 0; second < 28; second++) {
            pass(1, gate);
            waiting(gate.arrive(third));
            waiting(gate.arrive(fourth));
        }
        pass(3, gate);
        admitted(gate.arrive(third));
        waiting(gate.arrive(fourth));
        assertThat(gate.room().state().limits()).isEqualTo(new Limits(3, null));

        gate.engine().change(NAME, new RoomChange.Settings(new Limits(4, null)));
        pass(2, gate);
        admitted(gate.arrive(fourth));
        gate.engine().change(NAME, new RoomChange.Settings(null));
        pass(2, gate);
        assertThat(gate.room().state().limits()).isEqualTo(new Limits(3, null));
    }
}
