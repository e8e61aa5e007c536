package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.OnFailure;
import dev.orderly.room.Opening;
import dev.orderly.room.OpeningStatus;
import dev.orderly.room.OpeningStatus.Phase;
import dev.orderly.room.Openings;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.forecast.WaitEstimate;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.gate.RoomRefusals;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.gate.VisitorDiagnosis;
import dev.orderly.room.gate.VisitorQuery;
import dev.orderly.room.store.RoomChange;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What visitors meet before, in and after an opening of a room. */
class RoomOpeningTest extends RoomTest {
    private static final int LOBBY = 60;
    /** Seconds from the first moment until the opening. */
    private static final int UNTIL = 100;
    private static final int OPEN = 100;

    private final ZonedDateTime opens = time.now().atZone(ZoneId.of("Europe/Berlin")).plusSeconds(UNTIL);

    private RoomOptions options(int capacity, boolean openBetween) {
        return room(capacity).withOpenings(new Openings(List.of(new Opening(opens, Duration.ofSeconds(LOBBY),
                opens.plusSeconds(OPEN), null)), openBetween));
    }

    private static OpeningStatus turnedAway(Visit visit) {
        assertThat(visit).isInstanceOf(Visit.TurnedAway.class);
        return Objects.requireNonNull(((Visit.TurnedAway) visit).opening());
    }

    @Test
    void beforeTheLobbyNobodyTakesAPlaceAndInTheLobbyNobodyEnters() {
        Gate gate = gate(options(2, false));
        assertThat(turnedAway(gate.arrive()).phase()).isEqualTo(Phase.BETWEEN);
        pass(UNTIL - LOBBY, gate);
        assertThat(gate.room().state().line().length()).isZero();
        List<ShownTokens> line = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            line.add(ticket(gate.arrive()));
        }
        for (int second = 1; second < LOBBY; second++) {
            pass(1, gate);
            for (ShownTokens ticket : line) {
                LinePosition position = waiting(gate.arrive(ticket)).position();
                assertThat(position.called()).isFalse();
                assertThat(position.estimate().cause()).isEqualTo(WaitEstimate.Cause.OPENING);
                assertThat(answer(gate.room().visits().look(ticket))).isInstanceOf(Visit.Waiting.class);
            }
        }
        assertThat(gate.room().state().line().cursor()).isZero();
        assertThat(gate.room().state().pace().admitted()).isZero();
        pass(1, gate);
        admitted(gate.arrive(line.get(1)));
        admitted(gate.arrive(line.get(0)));
        waiting(gate.arrive(line.get(2)));
    }

    @Test
    void aLobbyOfManyIsCalledAtTheOpeningInItsFirstRound() {
        Gate gate = gate(options(3_000, false));
        pass(UNTIL - 5, gate);
        List<ShownTokens> line = new ArrayList<>();
        for (int n = 0; n < 4_000; n++) {
            line.add(ticket(gate.arrive()));
        }
        pass(5, gate);
        assertThat(gate.room().state().line().cursor()).isGreaterThanOrEqualTo(3_000);
        for (int n = 0; n < 3_000; n++) {
            admitted(gate.arrive(line.get(n)));
        }
        waiting(gate.arrive(line.get(3_000)));
    }

    @Test
    void aRoomThatIsOpenBetweenAdmitsUntilItsLobbyBegins() {
        Gate gate = gate(options(3, true));
        ShownTokens before = pass(gate.arrive(pass(gate.arrive())));
        pass(UNTIL - LOBBY, gate);
        ShownTokens ticket = ticket(gate.arrive());
        admitted(gate.arrive(before));
        pass(LOBBY - 1, gate);
        admitted(gate.arrive(before));
        waiting(gate.arrive(ticket));
        pass(1, gate);
        admitted(gate.arrive(ticket));
    }

    @Test
    void afterTheEndVisitorsInsideStayAndNobodyElseEnters() {
        Gate gate = gate(options(1, false));
        pass(UNTIL, gate);
        ShownTokens inside = pass(gate.arrive(pass(gate.arrive())));
        ShownTokens ticket = ticket(gate.arrive());
        pass(OPEN, gate);
        admitted(gate.arrive(inside));
        gate.room().visits().leave(inside);
        pass(3, gate);
        LinePosition late = waiting(gate.arrive(ticket)).position();
        assertThat(Objects.requireNonNull(late.opening()).phase()).isEqualTo(Phase.CLOSED);
        assertThat(turnedAway(gate.arrive()).phase()).isEqualTo(Phase.CLOSED);
        assertThat(gate.room().visits().refusals().total(RoomRefusals.Cause.MODE).count()).isZero();
    }

    @Test
    void noOutageOpensARoomBeforeItsTime() {
        Gate gate = gate(options(5, true).withOnFailure(OnFailure.OPEN));
        pass(UNTIL - LOBBY, gate);
        ShownTokens ticket = ticket(gate.arrive());
        for (Call call : List.of(Call.ROOM_JOIN, Call.ROOM_ADMIT, Call.ROOM_SYNC, Call.ROOM_GOVERN)) {
            store.failNext(call, Fault.BEFORE, 10_000);
        }
        for (int second = 0; second < LOBBY - 1; second++) {
            pass(1, gate);
            waiting(gate.arrive(ticket));
        }
        pass(30, gate);
        assertThat(gate.arrive(ticket)).as("a minute of outage after the opening").isInstanceOf(Visit.Ungated.class);
    }

    @Test
    void anotherGovernorOpensWhereTheFirstHasDied() {
        RoomOptions options = options(2, false);
        Gate dead = gate("a", options, RoomSignals.none());
        Gate gate = gate("b", options, RoomSignals.none());
        pass(UNTIL - 10, dead, gate);
        ShownTokens first = ticket(dead.arrive());
        ShownTokens second = ticket(gate.arrive());
        pass(9, dead, gate);
        for (int late = 0; late < 6; late++) {
            pass(1, gate);
            gate.arrive(second);
        }
        admitted(gate.arrive(second));
        admitted(gate.arrive(first));
        pass(1, gate);
        assertThat(gate.room().state().pace().admitted()).isEqualTo(2);
    }

    @Test
    void connectedVisitorsHearOfAnotherTimeInTheNextRoundAndEnterAtIt() {
        Gate gate = gate(options(1, false));
        pass(UNTIL - 20, gate);
        ShownTokens ticket = ticket(gate.arrive());
        RecordingListener page = new RecordingListener();
        gate.room().visits().listen(ticket, page);
        pass(1, gate);
        gate.engine().change(NAME, gate.room().movedOpening(opens.plusSeconds(40), null));
        pass(1, gate);
        LinePosition told = page.positions.getLast();
        assertThat(Objects.requireNonNull(told.opening()).instead()).isEqualTo(opens);
        assertThat(told.opening().opening()).isNotNull().extracting(Opening::opens).isEqualTo(opens.plusSeconds(40));
        pass(57, gate);
        assertThat(page.turn).isFalse();
        pass(3, gate);
        assertThat(page.turn).isTrue();
        assertThat(gate.room().state().pace().admitted()).isOne();
    }

    @Test
    void aCancelledOpeningKeepsPlacesAndAdmitsNobody() {
        Gate gate = gate(options(1, false));
        pass(UNTIL - 20, gate);
        ShownTokens ticket = ticket(gate.arrive());
        gate.engine().change(NAME, gate.room().cancelledOpening());
        pass(UNTIL, gate);
        assertThat(Objects.requireNonNull(waiting(gate.arrive(ticket)).position().opening()).cancelled())
                .isEqualTo(opens);
        assertThat(turnedAway(gate.arrive()).cancelled()).isEqualTo(opens);
    }

    @Test
    void anOperatorMayOpenARoomForAllAndAGrantWaitsForTheOpening() {
        Gate gate = gate(options(5, false));
        pass(UNTIL - 20, gate);
        ShownTokens ticket = ticket(gate.arrive());
        gate.engine().change(NAME, new RoomChange.Admit(1));
        pass(5, gate);
        waiting(gate.arrive(ticket));
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.OPEN));
        pass(1, gate);
        assertThat(gate.arrive(ticket)).isInstanceOf(Visit.Ungated.class);
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.REJECT));
        pass(1, gate);
        assertThat(gate.arrive(ticket)).isEqualTo(new Visit.TurnedAway(null));
    }

    @Test
    void openingsOfARunningRoomChange() {
        Gate gate = gate(room(2));
        admitted(gate.arrive());
        gate.room().change(options(2, false));
        assertThat(turnedAway(gate.arrive()).phase()).isEqualTo(Phase.BETWEEN);
        pass(1, gate);
        assertThat(gate.room().state().limits()).isEqualTo(Limits.CLOSED);
        gate.room().change(room(2));
        pass(1, gate);
        admitted(gate.arrive());
    }

    @Test
    void theOperatorReadsWhyAVisitorOfALobbyWaits() {
        Gate gate = gate(options(2, false));
        pass(UNTIL - 20, gate);
        long place = waiting(gate.arrive()).position().ticket().place();
        VisitorDiagnosis why = gate.engine().diagnose(NAME, new VisitorQuery.ByPlace(place));
        assertThat(why.cause()).isEqualTo(VisitorDiagnosis.Cause.OPENING);
        assertThat(why.sentence()).contains("opens at " + Opening.text(opens));
    }
}
