package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.PRESENT;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static dev.orderly.testkit.contract.room.RoomTrial.capacity;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.RoomState;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.JoinResult.Entered;
import dev.orderly.room.store.JoinResult.Placed;
import dev.orderly.testkit.contract.input.CallerThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Places in line. */
public interface RoomLinePart extends RoomPart {
    @Test
    default void placesAreIssuedOnceAndInListOrder() {
        List<Long> places = IntStream.range(0, 10).mapToObj(_ -> trial().line(7)).flatMap(List::stream)
                .map(TicketHolder::place).toList();
        assertThat(places).containsExactlyElementsOf(LongStream.rangeClosed(1, 70).boxed().toList());
    }

    @Test
    default void concurrentJoinsGetDistinctPlacesInListOrder() {
        List<JoinRequest> joins = Stream.generate(trial()::asking).limit(5).toList();
        List<List<JoinResult>> answers = CallerThreads.all(4, 25,
                () -> trial().rooms().join(SALE, joins, trial().now()));
        assertThat(answers.stream().flatMap(List::stream).map(JoinResult::place))
                .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 500).boxed().toList());
        assertThat(answers).allSatisfy(
                answer -> assertThat(answer.getLast().place()).isEqualTo(answer.getFirst().place() + 4));
    }

    @Test
    default void placesAndTheCursorSurviveACrash() {
        trial().called(5, Limits.CLOSED);
        List<TicketHolder> line = trial().line(3);
        trial().crash();
        RoomState.Line found = trial().state().line();
        assertThat(found.length()).isEqualTo(8);
        assertThat(found.cursor()).isEqualTo(5);
        assertThat(trial().line(1).getFirst().place()).isEqualTo(9);
        assertThat(trial().admit(line.getFirst())).isEqualTo(RoomTrial.uncalled(0));
    }

    @Test
    default void everyRoomHasALineOfItsOwn() {
        RoomName other = new RoomName("other");
        assertThat(Stream.of(SALE, other, other, SALE, other).map(room -> trial().join(room).place()))
                .containsExactly(1L, 1L, 2L, 2L, 3L);
    }

    @Test
    default void admissionRequestsAreAnsweredInListOrder() {
        List<TicketHolder> line = trial().called(2, Limits.NONE);
        TicketHolder stranger = new TicketHolder(trial().visitor(), 1, 3);
        assertThat(trial().admit(AdmissionRequest.Kind.TAKEN, List.of(line.get(1), stranger, line.get(0))))
                .containsExactly(trial().entered(), RoomTrial.spent(), trial().entered());
    }

    @Test
    default void aTicketIsInvalidInAnotherRoom() {
        TicketHolder visitor = trial().called(1, Limits.NONE).getFirst();
        AdmissionRequest request = trial().request(visitor, AdmissionRequest.Kind.TAKEN);
        assertThat(trial().rooms().admit(new RoomName("other"), List.of(request), trial().now()))
                .containsExactly(RoomTrial.spent());
        assertThat(trial().admit(visitor)).isEqualTo(trial().entered());
    }

    @Test
    default void aNewRoomIsEmptyAndClosedUntilItIsGoverned() {
        RoomState fresh = trial().gate();
        assertThat(fresh.epoch()).isEqualTo(1);
        assertThat(fresh.mode()).isEqualTo(RoomMode.AUTO);
        assertThat(fresh.limits()).isEqualTo(Limits.CLOSED);
        assertThat(fresh.line()).isEqualTo(new RoomState.Line(0, 0, 0, false));
        assertThat(fresh.load()).isEqualTo(new RoomState.Load(0, 0, 0, 0, 0, 1));
        assertThat(fresh.voided()).isEmpty();
        assertThat(fresh.message()).isNull();
        assertThat(fresh.override()).isNull();
        assertThat(trial().join()).isEqualTo(new Placed(1, 1, 0));
    }

    @Test
    default void allRoomsAreListedByNameAlsoAfterACrash() {
        assertThat(trial().rooms().rooms(trial().now())).isEmpty();
        assertThat(Stream.of("m", "a", "z").map(RoomName::new).map(room -> trial().join(room).place()))
                .containsOnly(1L);
        assertThat(trial().rooms().rooms(trial().now())).extracting(state -> state.room().value())
                .containsExactly("a", "m", "z");
        trial().crash();
        assertThat(trial().rooms().rooms(trial().now())).extracting(state -> state.room().value())
                .containsExactly("a", "m", "z");
    }

    @Test
    default void aRoomExistsFromTheFirstCallThatNamesIt() {
        GateReport report = new GateReport(new GateId("g"), 1, 0, List.of());
        assertThat(trial().rooms().sync(SALE, report, trial().now()).room()).isEqualTo(SALE);
        assertThat(trial().rooms().rooms(trial().now())).hasSize(1);
    }

    @Test
    default void visitorsOfAQuietRoomEnterAtOnceUntilItIsFull() {
        trial().open(capacity(2));
        assertThat(trial().join()).isEqualTo(new Entered(1, 1, trial().in(PASS)));
        assertThat(trial().join()).isEqualTo(new Entered(1, 2, trial().in(PASS)));
        assertThat(trial().join()).isEqualTo(new Placed(1, 3, 0));
        RoomState state = trial().state();
        assertThat(state.load().active()).isEqualTo(2);
        assertThat(state.line().length()).isEqualTo(3);
        assertThat(state.line().cursor()).isEqualTo(2);
    }

    @Test
    default void nobodyEntersAtOnceByAnAdmissionOfAPresentVisitor() {
        TicketHolder waiting = trial().called(1, Limits.CLOSED).getFirst();
        trial().present(waiting);
        trial().govern(capacity(1));
        assertThat(trial().join()).isInstanceOf(Placed.class);
        trial().govern(capacity(2));
        assertThat(trial().join()).isInstanceOf(Entered.class);
        assertThat(trial().admit(waiting)).isEqualTo(trial().entered());
    }

    @Test
    default void aPresentVisitorWhoJustJoinedIsNotOvertaken() {
        trial().open(Limits.CLOSED);
        JoinRequest join = new JoinRequest(trial().visitor(), trial().in(PRESENT), trial().in(PASS));
        assertThat(trial().rooms().join(SALE, List.of(join), trial().now())).first().isInstanceOf(Placed.class);
        trial().govern(capacity(1));
        assertThat(trial().join()).isInstanceOf(Placed.class);
        trial().pass(PRESENT);
        assertThat(trial().join()).isInstanceOf(Entered.class);
    }

    @Test
    default void nobodyEntersAtOnceWhileAGateMayHaveUnreportedVisitors() {
        trial().govern(Limits.NONE);
        assertThat(trial().join()).as("no gate has reported").isInstanceOf(Placed.class);
        trial().gate();
        assertThat(trial().join()).isInstanceOf(Entered.class);
        trial().sync(new GateId("another"), 1);
        assertThat(trial().join()).as("another gate has not reported all its visitors").isInstanceOf(Placed.class);
    }

    @Test
    default void uncalledVisitorsAndPresentCalledVisitorsAreAhead() {
        List<TicketHolder> line = trial().called(4, Limits.CLOSED);
        trial().present(line.get(0), line.get(1));
        trial().pass(PRESENT.minusMillis(1));
        assertThat(trial().join()).isEqualTo(new Placed(1, 5, 2));
        assertThat(trial().join()).isEqualTo(new Placed(1, 6, 3));
        assertThat(trial().state().line().waiting()).isEqualTo(2);
    }

    @Test
    default void theCursorNeverPassesTheLastPlace() {
        trial().called(3, capacity(50));
        for (int round = 0; round < 5; round++) {
            trial().pass(Duration.ofSeconds(1));
            assertThat(trial().govern(capacity(50)).line().cursor()).isEqualTo(3);
        }
        trial().govern(Limits.CLOSED);
        trial().line(40);
        assertThat(trial().state().line().cursor()).as("unused admissions do not pile up").isEqualTo(3);
    }

    @Test
    default void emptyCallsHaveEmptyAnswers() {
        assertThat(trial().rooms().join(SALE, List.of(), trial().now())).isEmpty();
        assertThat(trial().rooms().admit(SALE, List.of(), trial().now())).isEmpty();
        assertThat(trial().rooms().renew(SALE, List.of(), trial().now())).isEmpty();
        trial().rooms().depart(SALE, new ArrayList<>(), trial().now());
        assertThat(trial().rooms().rooms(trial().now())).isEmpty();
    }
}
