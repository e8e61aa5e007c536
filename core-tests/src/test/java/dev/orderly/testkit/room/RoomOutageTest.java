package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.OnFailure;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.forecast.WaitEstimate.Cause;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.ForwardingRooms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RoomOutageTest extends RoomTest {
    private static final int FOR_EVER = 100_000;

    private void away() {
        for (Call call : List.of(Call.ROOM_JOIN, Call.ROOM_ADMIT, Call.ROOM_RENEW, Call.ROOM_DEPART, Call.ROOM_SYNC,
                Call.ROOM_GOVERN)) {
            store.failNext(call, Fault.BEFORE, FOR_EVER);
        }
    }

    @Test
    void passesAndPlacesOutlastAnOutage() {
        Gate gate = gate(room(1));
        ShownTokens pass = pass(gate.arrive());
        ShownTokens ticket = ticket(gate.arrive());
        long place = waiting(gate.arrive(ticket)).position().ticket().place();
        away();
        pass(400, gate);
        admitted(gate.arrive(pass));
        assertThat(waiting(gate.arrive(ticket)).position()).satisfies(position -> {
            assertThat(position.estimate().cause()).isEqualTo(Cause.STORE_PAUSED);
            assertThat(position.ticket().place()).isEqualTo(place);
        });
        assertThat(gate.arrive()).isInstanceOf(Visit.Unavailable.class);
    }

    @Test
    void aVisitorLearnsWhetherTheLineGoesOnInAnOutage() {
        Gate gate = gate(room(1));
        admitted(gate.arrive());
        ShownTokens ticket = ticket(gate.arrive());
        assertThat(waiting(gate.arrive(ticket)).position().estimate().cause())
                .isNotIn(Cause.STORE_TROUBLE, Cause.STORE_PAUSED);
        away();
        pass(5, gate);
        assertThat(waiting(gate.arrive(ticket)).position().estimate().cause()).isEqualTo(Cause.STORE_TROUBLE);
        pass(60, gate);
        assertThat(waiting(gate.arrive(ticket)).position().estimate().cause()).isEqualTo(Cause.STORE_PAUSED);
    }

    @Test
    void aPassThatRanOutInAnOutageIsRevivedIfThereIsRoom() {
        Gate gate = gate(room(1));
        ShownTokens pass = pass(gate.arrive());
        away();
        pass(70, gate);
        store.heal();
        pass(1, gate);
        assertThat(admitted(gate.arrive(pass)).token()).isNotNull();
        assertThat(gate.arrive()).isInstanceOf(Visit.Waiting.class);
    }

    @Test
    void aStayThatReachedItsLongestInAnOutageIsOver() {
        Gate gate = gate(room(1).withStay(new TokenLifetimes(Duration.ofMinutes(5), Duration.ofMinutes(5),
                Duration.ofHours(1))));
        ShownTokens pass = pass(gate.arrive(pass(gate.arrive())));
        pass(290, gate);
        away();
        pass(20, gate);
        store.heal();
        pass(1, gate);
        assertThat(admitted(gate.arrive(pass)).pass().place()).isEqualTo(2);
    }

    @Test
    void admissionsInAnOutageContinueForAMinuteAndCount() {
        Gate gate = gate(room(40));
        for (int i = 0; i < 30; i++) {
            admitted(gate.arrive());
        }
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.HOLD));
        gate.engine().step();
        List<ShownTokens> line = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            line.add(ticket(gate.arrive()));
        }
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.AUTO));
        pass(1, gate);
        away();
        int let = 0;
        for (int second = 0; second < 120; second++) {
            pass(1, gate);
            for (ShownTokens ticket : List.copyOf(line)) {
                if (gate.arrive(ticket) instanceof Visit.Admitted) {
                    assertThat(second).isLessThan(62);
                    line.remove(ticket);
                    let++;
                }
            }
        }
        assertThat(let).isBetween(5, 10);
        store.heal();
        pass(1, gate);
        assertThat(gate.room().state().load().active()).isEqualTo(let);
    }

    /** The gate cannot know that the ticket is used up; the store does not count the pass, so it must end. */
    @Test
    void anAdmissionOnAUsedUpTicketEndsWithTheOutage() {
        Gate gate = gate(room(31));
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.HOLD));
        pass(1, gate);
        ShownTokens ticket = ticket(gate.arrive());
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.AUTO));
        pass(2, gate);
        admitted(gate.arrive(ticket));
        pass(301, gate);
        for (int i = 0; i < 30; i++) {
            admitted(gate.arrive());
        }
        pass(1, gate);
        away();
        pass(10, gate);
        ShownTokens again = pass(gate.arrive(ticket));
        store.heal();
        pass(1, gate);
        assertThat(answer(gate.room().visits().enter(again))).isInstanceOf(Visit.NoTicket.class);
        assertThat(gate.room().state().load().active()).isEqualTo(30);
    }

    @Test
    void aRoomThatOpensOnFailureLetsAllVisitorsPassAfterAMinute() {
        RoomOptions options = room(1).withOnFailure(OnFailure.OPEN);
        Gate gate = gate(options);
        gate.arrive();
        ShownTokens ticket = ticket(gate.arrive());
        away();
        pass(59, gate);
        waiting(gate.arrive(ticket));
        pass(3, gate);
        assertThat(gate.arrive(ticket)).isInstanceOf(Visit.Ungated.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aVisitorAtAGateThatLearnsLateOfEpochsIsNotOvertaken(int epochs) {
        Gate behind = gate("a", room(1), RoomSignals.none());
        Gate gate = gate("b", room(1), RoomSignals.none());
        pass(2, behind, gate);
        for (int epoch = 0; epoch < epochs; epoch++) {
            gate.engine().change(NAME, new RoomChange.NewEpoch());
        }
        pass(1, gate);
        ShownTokens first = ticket(gate.arrive());
        ShownTokens second = ticket(gate.arrive());
        away();
        for (int seconds = 0; seconds < 10; seconds++) {
            waiting(behind.arrive(first));
            waiting(gate.arrive(second));
            pass(1, behind, gate);
        }
        store.heal();
        pass(2, behind, gate);
        waiting(gate.arrive(second));
        admitted(behind.arrive(first));
    }

    /** When the store was back, the place inside was free, and another visitor has taken it. */
    @Test
    void aPassThatRanOutInAnOutageIsVoidInTheNextOutage() {
        Gate gate = gate(room(1));
        ShownTokens pass = pass(gate.arrive());
        away();
        pass(70, gate);
        store.heal();
        pass(1, gate);
        admitted(gate.arrive());
        away();
        assertThat(gate.arrive(pass)).isInstanceOf(Visit.Unavailable.class);
    }

    /** A store whose answers come ten minutes late. */
    private RoomStore slow() {
        return new ForwardingRooms(rooms) {
            @Override
            public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
                List<JoinResult> results = super.join(room, joins, now);
                time.advance(Duration.ofMinutes(10));
                return results;
            }

            @Override
            public List<AdmissionResult> admit(RoomName room, List<AdmissionRequest> requests, Instant now) {
                List<AdmissionResult> results = super.admit(room, requests, now);
                time.advance(Duration.ofMinutes(10));
                return results;
            }
        };
    }

    @Test
    void aPassThatEndedBeforeTheStoreAnsweredLetsNobodyIn() {
        Gate gate = gate("a", room(1), RoomSignals.none());
        Gate slow = gate("b", slow(), room(1), RoomSignals.none());
        pass(12, gate, slow);
        slow.room().visits().leave(ticket(slow.arrive()));
        pass(2, gate, slow);
        ShownTokens first = pass(gate.arrive());
        ShownTokens called = ticket(gate.arrive());
        gate.room().visits().leave(first);
        pass(2, gate, slow);
        assertThat(answer(slow.room().visits().look(called))).isInstanceOf(Visit.Waiting.class);
        pass(2, gate, slow);
        assertThat(slow.arrive(called)).isInstanceOf(Visit.Waiting.class);
    }
}
