package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static dev.orderly.testkit.contract.room.RoomTrial.capacity;
import static dev.orderly.testkit.contract.room.RoomTrial.spent;
import static dev.orderly.testkit.contract.room.RoomTrial.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.MoveRequest;
import dev.orderly.room.store.RoomChange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Places that move to another visitor id. */
public interface RoomMovePart extends RoomPart {
    @Test
    default void aMovedPlaceAdmitsItsNewVisitorAndNotTheFormerVisitor() {
        TicketHolder former = trial().called(1, Limits.NONE).getFirst();
        TicketHolder later = trial().move(former);
        assertThat(trial().admit(former)).isEqualTo(spent());
        assertThat(trial().admit(AdmissionRequest.Kind.RECORDED, former)).isEqualTo(spent());
        assertThat(trial().revive(former)).isFalse();
        assertThat(trial().admit(later)).isEqualTo(trial().entered());
        assertThat(trial().active()).isEqualTo(1);
    }

    @Test
    default void aMovedPlaceKeepsItsOrder() {
        List<TicketHolder> line = trial().called(2, capacity(1));
        trial().present(line.get(0));
        TicketHolder first = trial().move(line.get(0));
        assertThat(trial().admit(line.get(1))).isEqualTo(waits(1));
        assertThat(trial().admit(first)).isEqualTo(trial().entered());
    }

    @Test
    default void aPassThatWasNotTakenMovesWithThePlace() {
        TicketHolder former = trial().called(1, capacity(1)).getFirst();
        assertThat(trial().admit(AdmissionRequest.Kind.UNTAKEN, former)).isEqualTo(trial().entered());
        TicketHolder later = trial().move(former);
        assertThat(trial().active()).isEqualTo(1);
        assertThat(trial().renew(former, PASS)).isFalse();
        assertThat(trial().admit(AdmissionRequest.Kind.UNTAKEN, later)).isEqualTo(trial().entered());
        assertThat(trial().renew(later, PASS)).isTrue();
        assertThat(trial().state().pace().admitted()).isEqualTo(1);
    }

    @Test
    default void onlyThePlaceOfAWaitingVisitorMoves() {
        List<TicketHolder> line = trial().called(4, Limits.NONE);
        assertThat(trial().admit(line.get(0))).isEqualTo(trial().entered());
        trial().depart(line.get(1));
        trial().revoke(line.get(2));
        TicketHolder unknown = new TicketHolder(trial().visitor(), line.get(0).epoch(), RoomTrial.FAR);
        assertThat(List.of(line.get(0), line.get(1), line.get(2), unknown)).noneMatch(trial()::moves);
        assertThat(trial().renew(line.get(0), PASS)).isTrue();
        trial().change(new RoomChange.NewEpoch());
        assertThat(trial().moves(line.get(3))).isFalse();
        assertThat(trial().state().moved()).isEmpty();
    }

    @Test
    default void aPlaceMovesOnceAndARepeatedRequestGetsTheSameAnswer() {
        TicketHolder former = trial().called(1, Limits.NONE).getFirst();
        VisitorId to = trial().visitor();
        MoveRequest move = trial().moving(former, to);
        assertThat(trial().rooms().move(SALE, List.of(move, move), trial().now())).containsExactly(true, true);
        assertThat(trial().moves(former)).isFalse();
        assertThat(trial().rooms().move(SALE, List.of(move), trial().now())).containsExactly(true);
        assertThat(trial().admit(new TicketHolder(to, former.epoch(), former.place()))).isEqualTo(trial().entered());
    }

    @Test
    default void aMovedPlaceMovesOnFromItsNewVisitor() {
        TicketHolder first = trial().called(1, Limits.NONE).getFirst();
        TicketHolder second = trial().move(first);
        TicketHolder third = trial().move(second);
        assertThat(trial().admit(AdmissionRequest.Kind.TAKEN, List.of(first, second))).containsOnly(spent());
        assertThat(trial().admit(third)).isEqualTo(trial().entered());
    }

    @Test
    default void noPlaceMovesToAVisitorWhoIsKnown() {
        List<TicketHolder> line = trial().called(3, Limits.NONE);
        assertThat(trial().admit(line.get(0))).isEqualTo(trial().entered());
        trial().revoke(line.get(1));
        TicketHolder waiting = line.get(2);
        assertThat(trial().rooms().move(SALE, List.of(trial().moving(waiting, line.get(0).id()),
                trial().moving(waiting, line.get(1).id()), trial().moving(waiting, waiting.id())), trial().now()))
                .containsOnly(false);
        assertThat(trial().admit(waiting)).isEqualTo(trial().entered());
    }

    @Test
    default void aDepartureOfTheFormerVisitorLeavesThePlace() {
        TicketHolder former = trial().called(1, Limits.NONE).getFirst();
        trial().present(former);
        TicketHolder later = trial().move(former);
        trial().depart(former);
        trial().revoke(former);
        assertThat(trial().state().load().door()).isEqualTo(1);
        assertThat(trial().admit(later)).isEqualTo(trial().entered());
    }

    @Test
    default void everyGateLearnsOfAMove() {
        List<TicketHolder> line = trial().called(3, Limits.NONE);
        trial().revoke(line.get(0));
        RoomState before = trial().gate();
        trial().move(line.get(1));
        for (RoomState state : List.of(trial().gate(), trial().govern(Limits.NONE))) {
            assertThat(state.voided()).containsOnlyKeys(line.get(0).id(), line.get(1).id());
            assertThat(state.moved()).containsExactly(line.get(1).id());
        }
        assertThat(before.moved()).isEmpty();
        trial().change(new RoomChange.NewEpoch());
        assertThat(trial().gate().moved()).isEmpty();
    }

    @Test
    default void movesSurviveACrash() {
        TicketHolder former = trial().called(1, Limits.NONE).getFirst();
        MoveRequest move = trial().moving(former, trial().visitor());
        assertThat(trial().rooms().move(SALE, List.of(move), trial().now())).containsExactly(true);
        trial().crash();
        assertThat(trial().open(Limits.NONE).moved()).containsExactly(former.id());
        assertThat(trial().admit(former)).isEqualTo(spent());
        assertThat(trial().moves(former)).isFalse();
        assertThat(trial().rooms().move(SALE, List.of(move), trial().now())).containsExactly(true);
    }

    @Test
    default void movesBeyondTheBoundAreRefusedAndNoRevocationIsForgotten() {
        trial().open(Limits.CLOSED);
        List<TicketHolder> line = trial().line(MoveRequest.MOST + 2);
        trial().revoke(line.getFirst());
        List<MoveRequest> moves = line.stream().skip(1).map(each -> trial().moving(each, trial().visitor())).toList();
        List<Boolean> moved = trial().rooms().move(SALE, moves, trial().now());
        assertThat(moved.subList(0, MoveRequest.MOST)).containsOnly(true);
        assertThat(moved.getLast()).isFalse();
        assertThat(trial().gate().voided()).hasSize(MoveRequest.MOST + 1).containsKey(line.getFirst().id());
    }
}
