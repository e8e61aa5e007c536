package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.FAR;
import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.PRESENT;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static dev.orderly.testkit.contract.room.RoomTrial.capacity;
import static dev.orderly.testkit.contract.room.RoomTrial.spent;
import static dev.orderly.testkit.contract.room.RoomTrial.uncalled;
import static dev.orderly.testkit.contract.room.RoomTrial.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.PresentPlaces;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which visitors are called, and which of them enter. */
public interface RoomDoorPart extends RoomPart {
    GateId ONE = new GateId("one");
    GateId TWO = new GateId("two");

    @Test
    default void everyGateLearnsWhichVisitorsAnyGateHasSeen() {
        trial().open(Limits.CLOSED);
        List<TicketHolder> line = trial().line(5);
        Presence second = new Presence(2, trial().in(PRESENT));
        Presence longer = new Presence(4, trial().in(PRESENT.multipliedBy(2)));
        trial().sync(ONE, FAR, new Presence(4, trial().in(PRESENT)), second);
        trial().sync(TWO, FAR, longer);
        assertThat(trial().rooms().present(SALE, 10, trial().now()))
                .isEqualTo(new PresentPlaces(1, FAR, List.of(second, longer)));
        assertThat(trial().rooms().present(SALE, 1, trial().now())).as("the lowest places first")
                .isEqualTo(new PresentPlaces(1, 2, List.of(second)));
        trial().pass(PRESENT);
        assertThat(trial().rooms().present(SALE, 10, trial().now())).as("the second visitor is absent")
                .isEqualTo(new PresentPlaces(1, FAR, List.of(longer)));
        trial().govern(capacity(1));
        assertThat(trial().admit(line.get(3))).isEqualTo(trial().entered());
        assertThat(trial().rooms().present(SALE, 10, trial().now())).as("nobody waits")
                .isEqualTo(new PresentPlaces(1, FAR, List.of()));
    }

    @Test
    default void aVisitorAtTheCursorEntersAndTheNextDoesNot() {
        trial().open(Limits.CLOSED);
        List<TicketHolder> line = trial().line(4);
        trial().present(line.get(1), line.get(2), line.get(3));
        assertThat(trial().govern(Limits.NONE, 1).line().cursor()).isEqualTo(2);
        assertThat(trial().admit(line.get(2))).isEqualTo(uncalled(1));
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
        assertThat(trial().admit(line.get(0))).isEqualTo(trial().entered());
    }

    @Test
    default void theCursorMovesOnlyUntilTheDoorIsFull() {
        trial().open(Limits.CLOSED);
        List<TicketHolder> line = trial().line(10);
        trial().present(line.get(2), line.get(5), line.get(8));
        assertThat(trial().govern(capacity(0), 2).line().cursor()).isEqualTo(6);
        assertThat(trial().govern(capacity(0), 2).line().cursor()).isEqualTo(6);
        assertThat(trial().govern(capacity(0), 1).line().cursor()).as("never back").isEqualTo(6);
        assertThat(trial().state().load().door()).isEqualTo(2);
        assertThat(trial().state().load().known()).isEqualTo(3);
        assertThat(trial().govern(capacity(0), 3).line().cursor()).isEqualTo(9);
        assertThat(trial().govern(capacity(0), 4).line().cursor()).as("absent visitors are skipped").isEqualTo(10);
    }

    @Test
    default void aLowerVisitorAtTheDoorIsNeverOvertaken() {
        List<TicketHolder> line = trial().called(3, capacity(1));
        trial().present(line.get(0));
        assertThat(trial().admit(line.get(1))).isEqualTo(waits(1));
        assertThat(trial().admit(line.get(2))).isEqualTo(waits(2));
        assertThat(trial().admit(line.get(0))).isEqualTo(trial().entered());
        assertThat(trial().active()).isEqualTo(1);
    }

    @Test
    default void aVisitorWhoAskedCountsAsPresent() {
        List<TicketHolder> line = trial().called(2, Limits.CLOSED);
        assertThat(trial().admit(line.get(0))).isEqualTo(waits(0));
        trial().govern(capacity(1));
        assertThat(trial().admit(line.get(1))).isEqualTo(waits(1));
        trial().pass(PRESENT);
        assertThat(trial().admit(line.get(1))).as("the visitor ahead is gone").isEqualTo(trial().entered());
    }

    @Test
    default void aVisitorEntersIfAdmissionsSufficeForAllLowerPlaces() {
        List<TicketHolder> line = trial().called(5, capacity(3));
        trial().present(line.get(0), line.get(1));
        assertThat(trial().admit(line.get(2))).isEqualTo(trial().entered());
        assertThat(trial().admit(line.get(3))).isEqualTo(waits(2));
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
        assertThat(trial().admit(line.get(4))).isEqualTo(waits(2));
        assertThat(trial().admit(line.get(0))).isEqualTo(trial().entered());
    }

    @Test
    default void aReturningVisitorKeepsThePlace() {
        List<TicketHolder> line = trial().called(3, capacity(1));
        assertThat(trial().admit(line.get(1))).as("1 is away").isEqualTo(trial().entered());
        trial().present(line.get(2));
        assertThat(trial().admit(line.get(0))).isEqualTo(waits(0));
        assertThat(trial().admit(line.get(2))).isEqualTo(waits(1));
        trial().depart(line.get(1));
        assertThat(trial().admit(line.get(2))).isEqualTo(waits(1));
        assertThat(trial().admit(line.get(0))).isEqualTo(trial().entered());
    }

    @Test
    default void lowerPlacesOfACallEnterFirstAndAnswersAreInListOrder() {
        List<TicketHolder> line = trial().called(3, capacity(1));
        assertThat(trial().admit(AdmissionRequest.Kind.TAKEN, List.of(line.get(2), line.get(0), line.get(1))))
                .containsExactly(waits(1), trial().entered(), waits(0));
    }

    @Test
    default void aRepeatedRequestGetsTheSamePass() {
        TicketHolder visitor = trial().called(1, capacity(1)).getFirst();
        assertThat(trial().admit(visitor)).isEqualTo(trial().entered());
        assertThat(trial().admit(visitor)).isEqualTo(trial().entered());
        assertThat(trial().admit(AdmissionRequest.Kind.TAKEN, List.of(visitor, visitor)))
                .containsExactly(trial().entered(), trial().entered());
        assertThat(trial().active()).isEqualTo(1);
        assertThat(trial().state().pace().admitted()).isEqualTo(1);
    }

    @Test
    default void visitorsAheadAreCounted() {
        List<TicketHolder> line = trial().called(8, Limits.CLOSED);
        trial().present(line.get(0), line.get(2), line.get(4), line.get(6));
        assertThat(trial().admit(line.get(5))).isEqualTo(waits(3));
        assertThat(trial().admit(line.get(0))).isEqualTo(waits(0));
        assertThat(trial().admit(line.get(7))).isEqualTo(waits(5));
    }

    @Test
    default void visitorsAheadAreCountedUpToAThousand() {
        List<TicketHolder> line = trial().called(1_100, Limits.CLOSED);
        trial().present(line.toArray(TicketHolder[]::new));
        assertThat(trial().admit(line.getLast())).isEqualTo(waits(1_000));
    }

    @Test
    default void presenceEndsAtItsMoment() {
        List<TicketHolder> line = trial().called(2, capacity(1));
        trial().present(line.get(0));
        trial().pass(PRESENT.minusMillis(1));
        assertThat(trial().state().load().door()).isEqualTo(1);
        assertThat(trial().admit(line.get(1))).isEqualTo(waits(1));
        trial().pass(Duration.ofMillis(1));
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
    }

    @Test
    default void aVisitorWhoAsksWithoutStayingIsNotPresent() {
        List<TicketHolder> line = trial().called(2, Limits.CLOSED);
        AdmissionRequest passing = new AdmissionRequest(line.get(0).id(), 1, 1, trial().now(), trial().in(PASS),
                AdmissionRequest.Kind.TAKEN);
        assertThat(trial().rooms().admit(SALE, List.of(passing), trial().now())).containsExactly(waits(0));
        assertThat(trial().state().load().known()).isZero();
    }

    @Test
    default void aGateEndsPresenceThatItReportedItselfAndNoOther() {
        List<TicketHolder> line = trial().called(2, Limits.CLOSED);
        long place = line.getFirst().place();
        trial().sync(ONE, FAR, new Presence(place, trial().in(PRESENT)));
        trial().sync(TWO, FAR, new Presence(place, trial().now()));
        assertThat(trial().state().load().door()).isEqualTo(1);
        trial().sync(ONE, FAR, new Presence(place, trial().now()));
        assertThat(trial().state().load().door()).isZero();
    }

    @Test
    default void aVisitorInsideOrWithoutAPlaceIsNotPresentEvenIfReported() {
        List<TicketHolder> line = trial().called(3, Limits.NONE);
        assertThat(trial().admit(AdmissionRequest.Kind.UNTAKEN, line.get(0))).isEqualTo(trial().entered());
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
        trial().depart(line.get(2));
        trial().present(line.get(0), line.get(1), line.get(2), new TicketHolder(trial().visitor(), 1, 4),
                new TicketHolder(trial().visitor(), 1, 0), new TicketHolder(trial().visitor(), 1, -1));
        assertThat(trial().state().load().known()).isZero();
    }

    @Test
    default void aReportOfAnotherEpochIsIgnored() {
        List<TicketHolder> line = trial().called(2, Limits.CLOSED);
        trial().rooms().sync(SALE, new GateReport(ONE, 2, FAR,
                List.of(new Presence(line.getFirst().place(), trial().in(PRESENT)))), trial().now());
        trial().line(1);
        assertThat(trial().state().load().known()).isZero();
        assertThat(trial().govern(Limits.CLOSED).line().cursor()).as("that gate covers nothing").isEqualTo(2);
    }

    @Test
    default void nobodyBeyondTheCoverageOfAllGatesIsCalled() {
        trial().sync(ONE, 3);
        trial().govern(Limits.CLOSED);
        trial().line(6);
        assertThat(trial().govern(capacity(10)).line().cursor()).isEqualTo(3);
        trial().sync(ONE, 5);
        trial().sync(TWO, 4);
        assertThat(trial().govern(capacity(10)).line().cursor()).isEqualTo(4);
        trial().sync(TWO, FAR);
        assertThat(trial().govern(capacity(10)).line().cursor()).isEqualTo(5);
    }

    @Test
    default void nobodyIsCalledBeforeTheFirstReportOfAGate() {
        trial().line(2);
        assertThat(trial().govern(Limits.NONE).line().cursor()).isZero();
        trial().gate();
        assertThat(trial().govern(Limits.NONE).line().cursor()).isEqualTo(2);
        trial().crash();
        trial().govern(Limits.CLOSED);
        trial().line(1);
        assertThat(trial().govern(Limits.NONE).line().cursor()).as("after a death").isEqualTo(2);
    }

    @Test
    default void aSilentGateDelaysNobodyAfterTenRounds() {
        trial().sync(ONE, 1);
        trial().sync(TWO, FAR);
        trial().govern(Limits.CLOSED);
        trial().line(3);
        for (int round = 2; round <= 10; round++) {
            trial().sync(TWO, FAR);
            assertThat(trial().govern(Limits.CLOSED).line().cursor()).as("round %s", round).isEqualTo(1);
        }
        trial().sync(TWO, FAR);
        assertThat(trial().govern(Limits.CLOSED).line().cursor()).isEqualTo(3);
        assertThat(trial().state().load().gates()).isEqualTo(1);
    }

    @Test
    default void aPassThatWasNeverTakenLeavesTheTicketGood() {
        TicketHolder visitor = trial().called(1, capacity(1)).getFirst();
        assertThat(trial().admit(AdmissionRequest.Kind.UNTAKEN, visitor)).isEqualTo(trial().entered());
        trial().pass(PASS.minusMillis(1));
        assertThat(trial().active()).isEqualTo(1);
        trial().pass(Duration.ofMillis(1));
        assertThat(trial().active()).isZero();
        assertThat(trial().admit(visitor)).isEqualTo(trial().entered());
    }

    @Test
    default void aTakenPassUsesTheTicketUp() {
        List<TicketHolder> line = trial().called(2, Limits.NONE);
        assertThat(trial().admit(line.get(0))).isEqualTo(trial().entered());
        assertThat(trial().admit(AdmissionRequest.Kind.UNTAKEN, line.get(1))).isEqualTo(trial().entered());
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
        trial().pass(PASS);
        assertThat(trial().admit(AdmissionRequest.Kind.TAKEN, line)).containsOnly(spent());
    }

    @Test
    default void aRepeatedRequestExtendsAPassOnlyWhenItIsTaken() {
        TicketHolder visitor = trial().called(1, Limits.NONE).getFirst();
        AdmissionResult.Entered first = trial().entered();
        assertThat(trial().admit(AdmissionRequest.Kind.UNTAKEN, visitor)).isEqualTo(first);
        trial().pass(Duration.ofMinutes(1));
        assertThat(trial().admit(AdmissionRequest.Kind.UNTAKEN, visitor)).isEqualTo(first);
        assertThat(trial().admit(visitor)).isEqualTo(trial().entered());
    }

    @Test
    default void usedUpTicketsStaySoAfterACrash() {
        List<TicketHolder> line = trial().called(4, Limits.NONE);
        assertThat(trial().admit(line.get(0))).isEqualTo(trial().entered());
        assertThat(trial().admit(AdmissionRequest.Kind.UNTAKEN, line.get(1))).isEqualTo(trial().entered());
        trial().depart(line.get(2));
        trial().pass(PASS);
        trial().crash();
        trial().open(Limits.NONE);
        assertThat(trial().admit(AdmissionRequest.Kind.TAKEN, line)).containsExactly(spent(), trial().entered(),
                spent(),
                trial().entered());
    }

    @Test
    default void placesThatWereNeverIssuedCountAsSpent() {
        trial().called(2, Limits.NONE);
        for (long place : List.of(0L, -1L, 3L, Long.MAX_VALUE, Long.MIN_VALUE)) {
            for (AdmissionRequest.Kind kind : AdmissionRequest.Kind.values()) {
                assertThat(trial().admit(kind, new TicketHolder(trial().visitor(), 1, place))).isEqualTo(spent());
            }
        }
        assertThat(trial().active()).isZero();
        assertThat(trial().state().line().cursor()).isEqualTo(2);
    }
}
