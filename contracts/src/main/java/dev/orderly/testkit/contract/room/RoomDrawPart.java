package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.FAR;
import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.PRESENT;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Beacon;
import dev.orderly.room.Draw;
import dev.orderly.room.DrawLedger;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomState;
import dev.orderly.room.store.DrawStep;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateLease;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.GateReport.Presence;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.LobbyRecords.NewLeaf;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.RoomStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The draw of a lobby: its tickets, its end, and its steps. */
public interface RoomDrawPart extends RoomPart {
    Instant OPENING = Instant.parse("2027-03-01T09:00:00Z");
    Beacon BEACON = new Beacon("Lottery of 1 March, \"first\" number", OPENING.plusSeconds(60));
    String SEED = "5e".repeat(32);
    String ROOT = "ab".repeat(32);

    private DrawLedger step(DrawStep step) {
        DrawLedger after = trial().change(new RoomChange.Draw(step)).draws();
        assertThat(trial().state().draws()).isEqualTo(after);
        return after;
    }

    private DrawLedger commit() {
        return step(new DrawStep.Commit(OPENING, BEACON, SEED));
    }

    private static String leaf(int number) {
        return HexFormat.of().toHexDigits((byte) number).repeat(32);
    }

    private List<JoinResult> enterLobby(int from, int to) {
        return trial().rooms().join(SALE, IntStream.rangeClosed(from, to).mapToObj(number -> new JoinRequest(
                trial().visitor(), trial().in(PRESENT), trial().in(PASS), leaf(number))).toList(), trial().now());
    }

    private String leaves(long from, int most) {
        return HexFormat.of().formatHex(trial().rooms().leaves(SALE, from, most, trial().now()));
    }

    @Test
    default void theStoreStampsTheEndOfALobbyOnceAndWhoJoinsAfterItStandsBehind() {
        trial().line(3);
        assertThat(commit().open()).isTrue();
        assertThat(enterLobby(1, 2)).extracting(JoinResult::place).containsExactly(4L, 5L);
        assertThat(enterLobby(3, 5)).extracting(JoinResult::place).containsExactly(6L, 7L, 8L);
        DrawLedger closed = step(new DrawStep.Close(OPENING));
        assertThat(closed).extracting(DrawLedger::open, DrawLedger::base, DrawLedger::end).containsExactly(false, 3L,
                8L);
        assertThat(enterLobby(6, 6)).extracting(JoinResult::place).containsExactly(9L);
        assertThat(step(new DrawStep.Close(OPENING))).as("a second close, by another gate").isEqualTo(closed);
        assertThat(closed.isInLobby(8)).isTrue();
        assertThat(closed.isInLobby(9)).isFalse();
        assertThat(leaves(4, 5)).isEqualTo(leaf(1) + leaf(2) + leaf(3) + leaf(4) + leaf(5));
        assertThat(leaves(5, 2)).isEqualTo(leaf(2) + leaf(3));
    }

    @Test
    default void aTicketOfALobbyNeitherEntersNorCountsAsPresentAndHasALeafInAnyCase() {
        trial().open(Limits.NONE);
        commit();
        assertThat(enterLobby(1, 1)).hasOnlyElementsOfType(JoinResult.Placed.class);
        assertThat(trial().join()).as("from a gate that does not know of the lobby")
                .isInstanceOf(JoinResult.Placed.class);
        enterLobby(3, 3);
        assertThat(trial().state().load().known()).isZero();
        assertThat(trial().state().load().active()).isZero();
        assertThat(leaves(1, 10)).isEqualTo(leaf(1) + JoinRequest.NO_LEAF + leaf(3));
    }

    @Test
    default void beforeTheFirstTicketOfALobbyVisitorsEnterAsTheLimitsAllow() {
        trial().open(Limits.NONE);
        commit();
        assertThat(trial().join()).isInstanceOf(JoinResult.Entered.class);
        enterLobby(1, 1);
        assertThat(trial().state().draws().base()).isEqualTo(1);
    }

    @Test
    default void noStateTellsTheSeedBeforeTheDrawAndTheCommitmentHoldsAfterIt() {
        List<DrawLedger> before = new ArrayList<>(List.of(commit()));
        enterLobby(1, 2);
        before.add(trial().gate().draws());
        before.add(step(new DrawStep.Close(OPENING)));
        before.add(step(new DrawStep.Root(OPENING, 2, ROOT)));
        before.add(step(new DrawStep.Value(OPENING, "17")));
        before.add(trial().govern(Limits.CLOSED).draws());
        assertThat(before).allSatisfy(each -> assertThat(each.draws()).singleElement().satisfies(draw -> {
            assertThat(draw.seed()).isNull();
            assertThat(draw.commitment()).isEqualTo(Draw.commitment(SALE, OPENING, BEACON, SEED));
        }));
        assertThat(step(new DrawStep.Reveal(OPENING)).of(OPENING)).hasValueSatisfying(draw -> assertThat(draw)
                .isEqualTo(new Draw(OPENING, BEACON, Draw.commitment(SALE, OPENING, BEACON, SEED), SEED, 1, 0, 2, ROOT,
                        "17", true)));
    }

    @Test
    default void eachStepOfADrawIsMadeOnceInItsOrderAndNoneOfAnotherOpening() {
        List<DrawStep> steps = List.of(new DrawStep.Commit(OPENING, BEACON, SEED), new DrawStep.Close(OPENING),
                new DrawStep.Root(OPENING, 0, ROOT), new DrawStep.Value(OPENING, "17"), new DrawStep.Reveal(OPENING));
        List<DrawStep> others = List.of(new DrawStep.Commit(OPENING, null, "00".repeat(32)),
                new DrawStep.Close(OPENING.plusSeconds(1)), new DrawStep.Root(OPENING, 1, ROOT),
                new DrawStep.Value(OPENING.plusSeconds(1), "18"), new DrawStep.Reveal(OPENING.plusSeconds(1)));
        DrawLedger known = trial().gate().draws();
        for (int next = 0; next < steps.size(); next++) {
            for (int n = 0; n < steps.size(); n++) {
                if (n != next) {
                    assertThat(step(steps.get(n))).as("%s before %s", steps.get(n), steps.get(next)).isEqualTo(known);
                }
                if (n > 0) {
                    assertThat(step(others.get(n))).as("%s", others.get(n)).isEqualTo(known);
                }
            }
            DrawLedger after = step(steps.get(next));
            assertThat(after).isNotEqualTo(known);
            assertThat(step(others.getFirst())).as("another commitment").isEqualTo(after);
            known = after;
        }
        assertThat(step(new DrawStep.Drop(OPENING))).as("what is drawn stays").isEqualTo(known);
        assertThat(known.drawn()).isOne();
    }

    @Test
    default void aCrashBetweenAnyTwoStepsLeavesTheDrawAsItWas() {
        commit();
        enterLobby(1, 3);
        List<DrawStep> steps = List.of(new DrawStep.Close(OPENING), new DrawStep.Root(OPENING, 3, ROOT),
                new DrawStep.Value(OPENING, "17 +%\u00e4"), new DrawStep.Reveal(OPENING));
        for (DrawStep each : steps) {
            DrawLedger before = trial().state().draws();
            trial().crash();
            assertThat(trial().state().draws()).isEqualTo(before);
            assertThat(leaves(1, 9)).isEqualTo(leaf(1) + leaf(2) + leaf(3));
            assertThat(step(each)).isNotEqualTo(before);
        }
        Draw drawn = trial().state().draws().of(OPENING).orElseThrow();
        assertThat(drawn.commitment()).isEqualTo(Draw.commitment(SALE, OPENING, BEACON, String.valueOf(drawn.seed())));
    }

    @Test
    default void aLeafIsReplacedWhileTheLobbyIsOpen() {
        trial().line(1);
        commit();
        enterLobby(1, 3);
        List<NewLeaf> wanted = List.of(new NewLeaf(1, 3, leaf(8)), new NewLeaf(2, 2, leaf(9)),
                new NewLeaf(1, 1, leaf(9)), new NewLeaf(1, 5, leaf(9)));
        assertThat(trial().rooms().replaceLeaves(SALE, wanted, trial().now())).containsExactly(true, false, false,
                false);
        step(new DrawStep.Close(OPENING));
        assertThat(trial().rooms().replaceLeaves(SALE, List.of(new NewLeaf(1, 2, leaf(9))), trial().now()))
                .containsExactly(false);
        trial().crash();
        assertThat(leaves(2, 3)).isEqualTo(leaf(1) + leaf(8) + leaf(3));
    }

    @Test
    default void afterADrawAGateThatDoesNotKnowItCallsNobody() {
        trial().open(Limits.CLOSED);
        step(new DrawStep.Commit(OPENING, null, SEED));
        enterLobby(1, 3);
        step(new DrawStep.Close(OPENING));
        step(new DrawStep.Root(OPENING, 3, ROOT));
        assertThat(step(new DrawStep.Reveal(OPENING)).drawn()).isOne();
        assertThat(trial().govern(Limits.NONE).line().cursor()).as("no gate has reported since").isZero();
        trial().sync(new GateId("late"), FAR, new Presence(1, trial().in(PRESENT)));
        assertThat(trial().govern(Limits.NONE).line().cursor()).isZero();
        assertThat(trial().state().load().known()).as("a place of before the draw").isZero();
        for (String gate : List.of("gate", "late")) {
            trial().rooms().sync(SALE, new GateReport(new GateId(gate), 1, 1, FAR,
                    List.of(new Presence(2, trial().in(PRESENT))), GateLease.NONE), trial().now());
        }
        RoomState known = trial().state();
        assertThat(known.load().known()).isOne();
        assertThat(trial().govern(trial().step(new GateId("governor"), Limits.NONE, 1)).map(RoomState::line)
                .map(RoomState.Line::cursor)).hasValue(2L);
    }

    @Test
    default void aNewEpochBeginsTheLobbyAnewUnderTheSameCommitment() {
        String commitment = commit().draws().getFirst().commitment();
        enterLobby(1, 3);
        DrawLedger anew = trial().change(new RoomChange.NewEpoch()).draws();
        assertThat(anew).extracting(DrawLedger::open, DrawLedger::base).containsExactly(true, -1L);
        assertThat(anew.draws().getFirst().commitment()).isEqualTo(commitment);
        assertThat(enterLobby(7, 7)).extracting(JoinResult::place).containsExactly(1L);
        assertThat(leaves(1, 5)).isEqualTo(leaf(7));
        step(new DrawStep.Close(OPENING));
        DrawLedger empty = trial().change(new RoomChange.NewEpoch()).draws();
        assertThat(step(new DrawStep.Root(OPENING, 1, ROOT))).as("of the tickets that are void").isEqualTo(empty);
        assertThat(step(new DrawStep.Root(OPENING, 0, ROOT)).pending()).hasValueSatisfying(
                draw -> assertThat(draw.count()).isZero());
    }

    @Test
    default void aDroppedDrawLeavesThePlacesInTheOrderOfArrival() {
        commit();
        enterLobby(1, 2);
        DrawLedger dropped = step(new DrawStep.Drop(OPENING));
        assertThat(dropped.draws()).isEmpty();
        assertThat(dropped.hasLobby()).isFalse();
        trial().open(Limits.NONE);
        trial().rooms().sync(SALE, new GateReport(new GateId("gate"), 1, dropped.drawn(), FAR, List.of(),
                GateLease.NONE), trial().now());
        assertThat(trial().govern(Limits.NONE).line().cursor()).isEqualTo(2);
        assertThat(step(new DrawStep.Commit(OPENING.plusSeconds(1), null, SEED)).open()).isTrue();
    }

    @Test
    default void afterADropAGateThatDoesNotKnowItCallsNobody() {
        trial().open(Limits.CLOSED);
        commit();
        enterLobby(1, 2);
        step(new DrawStep.Drop(OPENING));
        assertThat(trial().govern(Limits.NONE).line().cursor()).as("no gate has reported since").isZero();
        trial().sync(new GateId("late"), FAR, new Presence(1, trial().in(PRESENT)));
        assertThat(trial().state().load().known()).isZero();
        assertThat(trial().govern(Limits.NONE).line().cursor()).isZero();
    }

    @Test
    default void ofGatesThatStampTheEndAtOnceOneCounts() throws Exception {
        trial().open(Limits.CLOSED);
        RoomStore rooms = trial().rooms();
        Instant now = trial().now();
        for (int n = 0; n < 20; n++) {
            Instant opening = OPENING.plusSeconds(n);
            step(new DrawStep.Commit(opening, null, SEED));
            enterLobby(1, 1);
            List<Callable<Long>> gates = IntStream.range(0, 4).mapToObj(_ -> trial().visitor())
                    .<Callable<Long>>map(visitor -> () -> {
                        long end = rooms.change(SALE, new RoomChange.Draw(new DrawStep.Close(opening)), now).draws()
                                .end();
                        rooms.join(SALE, List.of(new JoinRequest(visitor, now, now)), now);
                        return end;
                    }).toList();
            Set<Long> ends = new HashSet<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (Future<Long> end : threads.invokeAll(gates)) {
                    ends.add(end.get());
                }
            }
            ends.add(trial().state().draws().end());
            assertThat(ends).hasSize(1);
            step(new DrawStep.Drop(opening));
        }
    }
}
