package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Beacon;
import dev.orderly.room.Draw;
import dev.orderly.room.Opening;
import dev.orderly.room.OpeningStatus.Phase;
import dev.orderly.room.Openings;
import dev.orderly.room.PollPolicy;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.draw.DrawOrder;
import dev.orderly.room.draw.LobbyTree;
import dev.orderly.room.gate.DrawReceipt;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.store.DrawStep;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.GateReport;
import dev.orderly.room.store.RoomChange;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Visitors of a lobby whose places are drawn. */
class RoomDrawTest extends RoomTest {
    private static final int LOBBY = 30;
    private static final int UNTIL = 60;
    private static final int MANY = 40;

    private final ZonedDateTime opens = time.now().atZone(ZoneOffset.UTC).plusSeconds(UNTIL);

    private RoomOptions options(int capacity, @Nullable Beacon beacon) {
        return room(capacity)
                .withOpenings(new Openings(List.of(new Opening(opens, Duration.ofSeconds(LOBBY), null, null)
                        .drawn(beacon)), false));
    }

    private List<ShownTokens> lobby(Gate... gates) {
        List<ShownTokens> line = new ArrayList<>();
        for (int n = 0; n < MANY; n++) {
            line.add(ticket(gates[n % gates.length].arrive()));
        }
        return line;
    }

    private static Draw draw(Gate gate) {
        return gate.room().state().draws().draws().getLast();
    }

    private static DrawReceipt receipt(Gate gate, ShownTokens ticket) {
        return gate.room().visits().receipt(ticket).toCompletableFuture().join().orElseThrow();
    }

    private static List<Long> places(Gate gate, List<ShownTokens> line) {
        return line.stream().map(ticket -> waiting(gate.arrive(ticket)).position().ticket().place()).toList();
    }

    @Test
    void theCommitmentIsPublicBeforeTheLobbyAndTheSeedAfterTheDraw() {
        Gate gate = gate(options(1, null));
        pass(2, gate);
        Draw committed = draw(gate);
        assertThat(committed.seed()).isNull();
        pass(UNTIL - LOBBY, gate);
        lobby(gate);
        pass(LOBBY, gate);
        Draw drawn = draw(gate);
        assertThat(drawn.drawn()).isTrue();
        assertThat(drawn.count()).isEqualTo(MANY);
        assertThat(drawn.commitment()).isEqualTo(committed.commitment()).isEqualTo(Draw.commitment(NAME,
                opens.toInstant(), null, Objects.requireNonNull(drawn.seed())));
    }

    @Test
    void theOrderIsTheDrawnOneAtEveryGateAndEachReceiptLeadsToTheRoot() {
        Gate one = gate("a", options(0, null), RoomSignals.none());
        Gate two = gate("b", options(0, null), RoomSignals.none());
        pass(UNTIL - 10, one, two);
        List<ShownTokens> line = lobby(one, two);
        pass(12, one, two);
        Draw draw = draw(two);
        DrawOrder order = DrawOrder.of(Objects.requireNonNull(draw.seed()), Objects.requireNonNull(draw.root()), null,
                MANY);
        List<Long> places = places(one, line);
        assertThat(places(two, line)).isEqualTo(places);
        assertThat(places).doesNotHaveDuplicates().isNotEqualTo(places.stream().sorted().toList());
        for (int n = 0; n < MANY; n++) {
            DrawReceipt receipt = receipt(two, line.get(n));
            assertThat(receipt.index()).isEqualTo(n);
            assertThat(places.get(n)).isEqualTo(order.place(n) + 1L).isEqualTo(receipt.place());
            assertThat(receipt.leaf()).isEqualTo(LobbyTree.leaf(receipt.ticket(), receipt.nonce()));
            assertThat(LobbyTree.root(n, MANY, receipt.leaf(), receipt.path())).isEqualTo(draw.root());
        }
    }

    @Test
    void theFirstOfTheDrawEnterAndNobodyTwiceOrBefore() {
        Gate one = gate("a", options(10, null), RoomSignals.none());
        Gate two = gate("b", options(10, null), RoomSignals.none());
        pass(UNTIL - 10, one, two);
        List<ShownTokens> line = lobby(one, two);
        for (int second = 0; second < 9; second++) {
            pass(1, one, two);
            line.forEach(ticket -> waiting(one.arrive(ticket)));
        }
        assertThat(one.room().state().pace().admitted()).isZero();
        pass(1, one, two);
        Set<Long> entered = new HashSet<>();
        for (int second = 0; second < 5; second++) {
            for (ShownTokens ticket : line) {
                if (one.arrive(ticket) instanceof Visit.Admitted in) {
                    entered.add(in.pass().place());
                }
            }
            pass(1, one, two);
        }
        assertThat(entered).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(one.room().state().pace().admitted()).isEqualTo(10);
    }

    @Test
    void whoJoinsAfterTheEndOfTheLobbyStandsBehindTheDraw() {
        Gate gate = gate(options(0, null));
        pass(UNTIL - 5, gate);
        List<ShownTokens> line = lobby(gate);
        pass(5, gate);
        ShownTokens late = ticket(gate.arrive());
        assertThat(waiting(gate.arrive(late)).position().ticket().place()).isEqualTo(MANY + 1L);
        assertThat(places(gate, line)).allMatch(place -> place <= MANY);
        assertThat(gate.room().visits().receipt(late).toCompletableFuture().join()).isEmpty();
    }

    @Test
    void withoutItsBeaconARoomStaysInTheDrawAndNobodyEnters() {
        Gate gate = gate(options(5, new Beacon("a lottery", opens.plusSeconds(30).toInstant())));
        pass(UNTIL - 5, gate);
        List<ShownTokens> line = lobby(gate);
        pass(60, gate);
        assertThat(Objects.requireNonNull(gate.room().opening()).phase()).isEqualTo(Phase.DRAWING);
        assertThat(draw(gate).awaitsValue()).isTrue();
        line.forEach(ticket -> waiting(gate.arrive(ticket)));
        gate.engine().change(NAME, new RoomChange.Draw(new DrawStep.Value(opens.toInstant(), "17")));
        pass(2, gate);
        assertThat(Objects.requireNonNull(gate.room().opening()).phase()).isEqualTo(Phase.SELLING);
        assertThat(draw(gate).value()).isEqualTo("17");
        assertThat(line.stream().map(gate::arrive).filter(Visit.Admitted.class::isInstance)).hasSize(5);
    }

    @Test
    void theNonceOfTheBrowserTakesThePlaceOfTheGatesUntilTheEndOfTheLobby() {
        Gate gate = gate(options(0, null));
        pass(UNTIL - 5, gate);
        ShownTokens ticket = ticket(gate.arrive());
        ShownTokens other = ticket(gate.arrive());
        String nonce = "0123456789abcdef".repeat(2);
        ShownTokens own = ticket(answer(gate.room().visits().withNonce(ticket, nonce)));
        pass(6, gate);
        assertThat(receipt(gate, own)).extracting(DrawReceipt::nonce, DrawReceipt::browser).containsExactly(nonce,
                true);
        assertThat(receipt(gate, own).leaf()).isEqualTo(LobbyTree.leaf(receipt(gate, own).ticket(), nonce));
        answer(gate.room().visits().withNonce(other, nonce));
        assertThat(receipt(gate, other).browser()).isFalse();
    }

    @Test
    void ofTwoNoncesForOneTicketTheLastCountsAndEveryCopyOfTheTicketHasAReceiptThatHolds() {
        Gate gate = gate(options(0, null));
        pass(UNTIL - 5, gate);
        ShownTokens ticket = ticket(gate.arrive());
        ShownTokens one = ticket(answer(gate.room().visits().withNonce(ticket, "1a".repeat(16))));
        ShownTokens two = ticket(answer(gate.room().visits().withNonce(ticket, "2b".repeat(16))));
        pass(6, gate);
        assertThat(List.of(ticket, one, two)).allSatisfy(copy -> {
            DrawReceipt receipt = receipt(gate, copy);
            assertThat(receipt.nonce()).isEqualTo("2b".repeat(16));
            assertThat(receipt.browser()).isTrue();
            assertThat(LobbyTree.root(0, 1, LobbyTree.leaf(receipt.ticket(), receipt.nonce()), receipt.path()))
                    .isEqualTo(receipt.root());
        });
    }

    @Test
    void whoGivesTheTicketBackInTheLobbyTakesNoPlaceFromAnother() {
        Gate gate = gate(options(MANY, null));
        pass(UNTIL - 5, gate);
        List<ShownTokens> line = lobby(gate);
        for (ShownTokens leaver : line.subList(0, 10)) {
            assertThat(gate.room().visits().leave(leaver).toCompletableFuture().join()).isTrue();
        }
        pass(7, gate);
        assertThat(line.subList(10, MANY).stream().map(gate::arrive)).hasOnlyElementsOfType(Visit.Admitted.class);
    }

    @Test
    void whoLeavesByAGateThatNeverHeardOfTheLobbyTakesNoPlaceFromAnother() {
        Opening later = new Opening(opens.plusDays(1), Duration.ofSeconds(LOBBY), null, null).drawn(null);
        Gate late = gate("a", room(MANY + 1).withOpenings(new Openings(List.of(later), true)), RoomSignals.none());
        Gate gate = gate("b", options(MANY + 1, null), RoomSignals.none());
        pass(UNTIL - 5, gate);
        List<ShownTokens> line = lobby(gate);
        ShownTokens leaver = ticket(late.arrive());
        pass(7, gate);
        assertThat(draw(gate).count()).isEqualTo(MANY + 1);
        assertThat(late.room().visits().leave(leaver).toCompletableFuture().join()).isTrue();
        pass(1, gate);
        assertThat(line.stream().map(ticket -> admitted(gate.arrive(ticket)).pass().place())).doesNotHaveDuplicates()
                .allMatch(place -> place <= MANY + 1);
    }

    @Test
    void anotherGateMakesTheDrawOfOneThatDied() {
        Gate one = gate("a", options(0, null), RoomSignals.none());
        Gate two = gate("b", options(0, null), RoomSignals.none());
        pass(UNTIL - 10, one, two);
        List<ShownTokens> line = lobby(one, two);
        String commitment = draw(two).commitment();
        pass(8, one, two);
        pass(9, two);
        assertThat(draw(two).drawn()).isTrue();
        assertThat(draw(two).commitment()).isEqualTo(commitment);
        assertThat(places(two, line)).doesNotHaveDuplicates();
    }

    @Test
    void aGateThatStartsAfterTheDrawKnowsTheDrawnPlacesAtOnce() {
        Gate one = gate("a", options(0, null), RoomSignals.none());
        pass(UNTIL - 10, one);
        List<ShownTokens> line = lobby(one);
        pass(12, one);
        RoomEngine starting = new RoomEngine(rooms, tokens, new GateId("b"), time, new Random(3));
        Gate two = new Gate(starting, starting.declare(NAME, options(0, null), RoomSignals.none()));
        assertThat(places(two, line)).isEqualTo(places(one, line));
        starting.close();
    }

    @Test
    void anOutageAtTheEndOfTheLobbyMakesTheDrawLateAndLosesNobody() {
        Gate gate = gate("a", store.rooms(), options(MANY, null), RoomSignals.none());
        pass(UNTIL - 3, gate);
        List<ShownTokens> line = lobby(gate);
        for (Call call : List.of(Call.ROOM_SYNC, Call.ROOM_GOVERN, Call.ROOM_CHANGE)) {
            store.failNext(call, Fault.AFTER, 5);
        }
        pass(8, gate);
        line.forEach(
                ticket -> assertThat(gate.arrive(ticket)).isInstanceOfAny(Visit.Waiting.class, Visit.Admitted.class));
        pass(15, gate);
        assertThat(draw(gate).count()).isEqualTo(MANY);
        assertThat(line.stream().map(gate::arrive)).hasOnlyElementsOfType(Visit.Admitted.class);
    }

    @Test
    void aCancelledOpeningDropsItsDrawAndKeepsTheOrderOfArrival() {
        Gate gate = gate(options(0, null));
        pass(UNTIL - 10, gate);
        List<ShownTokens> line = lobby(gate);
        gate.engine().change(NAME, gate.room().cancelledOpening());
        pass(2, gate);
        assertThat(gate.room().state().draws().draws()).isEmpty();
        List<Long> places = places(gate, line);
        assertThat(places).isEqualTo(places.stream().sorted().toList());
    }

    /** The places that enter while visitors ask in the order of this list, once a second, in eight seconds. */
    private Set<Long> entered(List<ShownTokens> line, Gate gate) {
        Set<Long> entered = new HashSet<>();
        for (int second = 0; second < 8; second++) {
            for (ShownTokens ticket : line) {
                if (gate.arrive(ticket) instanceof Visit.Admitted in) {
                    entered.add(in.pass().place());
                }
            }
            pass(1, gate);
        }
        return entered;
    }

    @Test
    void afterARestartAtTheEndOfTheLobbyTheFirstOfTheDrawStillEnterFirst() {
        Gate gate = gate(options(5, null));
        pass(UNTIL - 10, gate);
        List<ShownTokens> line = lobby(gate);
        pass(8, gate);
        time.advance(Duration.ofSeconds(10));
        Gate restarted = gate(options(5, null));
        pass(2, restarted);
        assertThat(draw(restarted).drawn()).isTrue();
        assertThat(entered(line, restarted)).as("which come back in the order of arrival")
                .containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void afterACancelledDrawNobodyWhoWasInTheLobbyIsOvertaken() {
        Gate gate = gate(room(5).withOpenings(new Openings(List.of(new Opening(opens, Duration.ofSeconds(LOBBY), null,
                null).drawn(null)), true)));
        pass(UNTIL - LOBBY + 1, gate);
        List<ShownTokens> line = lobby(gate);
        pass(1, gate);
        line.forEach(ticket -> waiting(gate.arrive(ticket)));
        pass(9, gate);
        gate.engine().change(NAME, gate.room().cancelledOpening());
        pass(3, gate);
        assertThat(entered(line.reversed(), gate)).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void aReportThatADrawMadeVoidIsMadeAgain() {
        RoomOptions seldom = options(0, new Beacon("a lottery", opens.toInstant()))
                .withPoll(PollPolicy.DEFAULT.withLeast(Duration.ofSeconds(20)));
        Gate one = gate("a", seldom, RoomSignals.none());
        Gate two = gate("b", seldom, RoomSignals.none());
        pass(UNTIL - 5, one, two);
        lobby(one);
        pass(7, one, two);
        List<ShownTokens> late = IntStream.range(0, 20).mapToObj(_ -> ticket(two.arrive())).toList();
        pass(3, one, two);
        LinePosition rare = late.stream().map(ticket -> waiting(two.arrive(ticket)).position())
                .max(Comparator.comparing(LinePosition::poll)).orElseThrow();
        time.advance(Duration.ofMillis(500));
        one.engine().change(NAME, one.room().drawValue("17"));
        one.engine().step();
        assertThat(draw(one).drawn()).isTrue();
        pass(12, one, two);
        assertThat(rare.poll()).isGreaterThan(Duration.ofSeconds(10));
        assertThat(rooms.present(NAME, 100, time.now()).presences()).extracting(GateReport.Presence::place)
                .contains(rare.ticket().place());
    }

    @Test
    void aLobbyGivesNoTicketBeforeItsDrawIsCommittedTo() {
        time.advance(Duration.ofSeconds(UNTIL - 10));
        Gate gate = gate(room(5).withOpenings(new Openings(List.of(new Opening(opens, Duration.ofSeconds(LOBBY), null,
                null).drawn(null)), true)));
        assertThat(gate.arrive()).isInstanceOf(Visit.TurnedAway.class);
        pass(2, gate);
        ShownTokens first = ticket(gate.arrive());
        pass(9, gate);
        assertThat(receipt(gate, first).index()).isZero();
    }
}
