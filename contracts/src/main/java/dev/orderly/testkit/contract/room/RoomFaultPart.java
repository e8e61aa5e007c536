package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static dev.orderly.testkit.contract.room.RoomTrial.capacity;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomState;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GovernorStep;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.FaultyStore;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A failed call may be repeated, and is done wholly or not at all. */
interface RoomFaultPart extends RoomPart {
    /** Calls with a lost answer, and again. */
    private <T> T twice(Call call, Function<RoomStore, T> work) {
        FaultyStore faulty = trial().faulty();
        faulty.failNext(call, Fault.AFTER, 1);
        assertThatThrownBy(() -> work.apply(faulty.rooms())).isInstanceOf(StoreException.OutcomeUnknown.class);
        return work.apply(faulty.rooms());
    }

    @Test
    default void aJoinWithALostAnswerCostsAPlaceAndNoMore() {
        trial().open(Limits.CLOSED);
        List<JoinResult> again = twice(Call.ROOM_JOIN,
                rooms -> rooms.join(SALE, List.of(trial().asking()), trial().now()));
        assertThat(again).extracting(JoinResult::place).containsExactly(2L);
        assertThat(trial().state().line().length()).isEqualTo(2);
    }

    @Test
    default void anAdmissionWithALostAnswerIsAnsweredAgain() {
        TicketHolder visitor = trial().called(1, capacity(1)).getFirst();
        List<AdmissionRequest> requests = List.of(trial().request(visitor, AdmissionRequest.Kind.TAKEN));
        List<AdmissionResult> again = twice(Call.ROOM_ADMIT, rooms -> rooms.admit(SALE, requests, trial().now()));
        assertThat(again).containsExactly(trial().entered());
        assertThat(trial().active()).isEqualTo(1);
        assertThat(trial().state().pace().admitted()).isEqualTo(1);
    }

    @Test
    default void renewalsDeparturesAndChangesMayBeRepeated() {
        List<TicketHolder> line = trial().called(2, capacity(2));
        assertThat(trial().admit(AdmissionRequest.Kind.TAKEN, line)).containsOnly(trial().entered());
        RenewalRequest renewal = new RenewalRequest(line.get(0).id(), 1, 1, trial().in(PASS), false);
        List<Boolean> renewed = twice(Call.ROOM_RENEW, rooms -> rooms.renew(SALE, List.of(renewal), trial().now()));
        assertThat(renewed).containsExactly(true);
        RoomState held = twice(Call.ROOM_CHANGE,
                rooms -> rooms.change(SALE, new RoomChange.Mode(RoomMode.HOLD), trial().now()));
        assertThat(held.mode()).isEqualTo(RoomMode.HOLD);
        trial().depart(line.get(1));
        trial().depart(line.get(1));
        assertThat(trial().active()).isEqualTo(1);
    }

    @Test
    default void aStepWithALostAnswerMayBeRepeatedByTheSameGovernor() {
        trial().open(Limits.CLOSED);
        trial().line(3);
        GovernorStep step = trial().step(new GateId("governor"), Limits.NONE, 2);
        Optional<RoomState> again = twice(Call.ROOM_GOVERN, rooms -> rooms.govern(SALE, step, trial().now()));
        assertThat(again).hasValueSatisfying(state -> assertThat(state.line().cursor()).isEqualTo(3));
    }

    @Test
    default void aRefusedCallHasDoneNothing() {
        trial().open(Limits.NONE);
        FaultyStore faulty = trial().faulty();
        RoomState before = trial().state();
        faulty.failNext(Call.ROOM_JOIN, Fault.BEFORE, 1);
        assertThatThrownBy(() -> faulty.rooms().join(SALE, List.of(trial().asking()), trial().now()))
                .isInstanceOf(StoreException.Unavailable.class);
        assertThat(trial().state()).isEqualTo(before);
    }

    @Test
    default void aClosedStoreIsUnavailable() {
        RoomStore rooms = trial().rooms();
        trial().end();
        assertThatThrownBy(() -> rooms.rooms(trial().now())).isInstanceOf(StoreException.Unavailable.class);
        assertThatThrownBy(() -> rooms.join(SALE, List.of(trial().asking()), trial().now()))
                .isInstanceOf(StoreException.Unavailable.class);
    }
}
