package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.orderly.history.HistoryReader;
import dev.orderly.history.RoomReport;
import dev.orderly.history.RoomReport.TierVisitors;
import dev.orderly.history.record.HistoryRecorder;
import dev.orderly.history.record.HistorySampler;
import dev.orderly.history.record.HistoryWriter;
import dev.orderly.job.NodeId;
import dev.orderly.room.AddressLimits;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.crowd.Verdict;
import dev.orderly.room.gate.RoomEngine;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.invitation.IssuedInvitations;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.RoomChange;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Invitations at one gate and at several. */
class InvitationTest extends RoomTest {
    private static final Tiers TIERS = new Tiers(List.of(new Tier("members", "tier=gold", 20),
            Tier.invited("press", 5)));
    static final RoomOptions INVITING = room(1).withTiers(TIERS);
    static final Visit SPENT = new Visit.NotInvited(InvitationRefusal.SPENT);
    private static final Visit USED = new Visit.NotInvited(InvitationRefusal.USED);

    private final Gate gate = gate("a", INVITING, RoomSignals.none());

    static IssuedInvitations issue(Gate at) {
        return at.room().invite("press", 1, Duration.ofHours(1), null);
    }

    static String code(Gate at) {
        return issue(at).codes().getFirst();
    }

    static Visit redeem(Gate at, ShownTokens shown, String code, String device) {
        return answer(at.room().visits().redeem(shown, code, device, () -> "198.51.100.1"));
    }

    static Visit redeem(Gate at, String code, String device) {
        return redeem(at, ShownTokens.NONE, code, device);
    }

    static long press(long number) {
        return Tiers.start(2) + number;
    }

    static long place(Visit visit) {
        return waiting(visit).position().ticket().place();
    }

    @Test
    void aCodeIsGoodOnceOverAllGatesAndForOneDeviceAgainAtEach() {
        Gate other = gate("b", INVITING, RoomSignals.none());
        pass(2, gate, other);
        gate.arrive();
        String code = code(gate);
        assertThat(place(redeem(other, code, "phone"))).isEqualTo(press(1));
        assertThat(place(redeem(gate, code, "phone"))).as("the answer was lost, and another gate is asked")
                .isEqualTo(press(1));
        assertThat(redeem(gate, code, "laptop")).isEqualTo(USED);
        pass(1, gate, other);
        assertThat(gate.room().state().tiers().getLast().line().length()).isEqualTo(press(1));
    }

    @Test
    void theHistoryCountsEachTierAndEachUsedInvitationOnce() {
        HistoryRecorder recorder = new HistoryRecorder();
        Gate observed = gate(INVITING, recorder);
        HistoryWriter writer = new HistoryWriter(store.history(),
                new HistorySampler(recorder, store.jobViews(), observed.engine()), time, new NodeId("n"),
                Duration.ofDays(1));
        ShownTokens inside = pass(observed.arrive());
        String code = code(observed);
        Visit redeemed = redeem(observed, code, "phone");
        redeem(observed, code, "phone");
        observed.room().visits().leave(inside);
        pass(3, observed);
        pass(observed.arrive(ticket(redeemed)));
        writer.close();
        RoomReport report = new HistoryReader(store.history(), time).report(NAME, observed.room().tiers(), null,
                time.now().plusSeconds(60));
        assertThat(report.tiers()).extracting(TierVisitors::tier, TierVisitors::arrivals, TierVisitors::invited,
                TierVisitors::entered).containsExactly(tuple("press", 1L, 1L, 1L), tuple(null, 1L, 0L, 1L));
    }

    @Test
    void aRepeatedRequestWhosePlaceIsOverGetsNoTicketOfIt() {
        Gate other = gate("b", INVITING, RoomSignals.none());
        pass(2, gate, other);
        gate.arrive();
        String left = code(gate);
        ShownTokens place = ticket(redeem(gate, left, "phone"));
        gate.room().visits().leave(place);
        pass(1, gate, other);
        assertThat(List.of(redeem(gate, left, "phone"), redeem(other, left, "phone"))).containsOnly(SPENT);
        String kept = code(gate);
        assertThat(place(redeem(other, kept, "phone"))).isEqualTo(press(2));
        assertThat(place(redeem(gate, kept, "phone"))).as("while the place is good").isEqualTo(press(2));
    }

    @Test
    void aLostAnswerOfTheStoreLosesNeitherCodeNorPlace() {
        gate.arrive();
        String code = code(gate);
        store.failNext(Call.ROOM_JOIN, Fault.AFTER, 1);
        assertThat(redeem(gate, code, "phone")).isInstanceOf(Visit.Unavailable.class);
        pass(5, gate);
        assertThat(place(redeem(gate, code, "phone"))).isEqualTo(press(1));
        assertThat(redeem(gate, code, "laptop")).isEqualTo(USED);
    }

    @Test
    void aStoreThatDoesNotAnswerUsesNoCode() {
        gate.arrive();
        String code = code(gate);
        store.failNext(Call.ROOM_JOIN, Fault.BEFORE, 1);
        assertThat(redeem(gate, code, "phone")).isInstanceOf(Visit.Unavailable.class);
        pass(5, gate);
        assertThat(place(redeem(gate, code, "laptop"))).isEqualTo(press(1));
    }

    @Test
    void theTicketOfTheFormerPlaceEnds() {
        gate.arrive();
        gate.arrive();
        Visit far = gate.arrive();
        for (int n = 0; n < 30; n++) {
            far = gate.arrive();
        }
        ShownTokens former = ticket(far);
        Visit redeemed = redeem(gate, former, code(gate), "phone");
        assertThat(place(redeemed)).isEqualTo(press(1));
        assertThat(answer(gate.room().visits().enter(former))).isEqualTo(new Visit.NoTicket());
        assertThat(place(gate.arrive(ticket(redeemed)))).isEqualTo(press(1));
    }

    @Test
    void aVisitorWhoIsCalledKeepsThePlaceAndTheCode() {
        gate.arrive();
        ShownTokens next = ticket(gate.arrive());
        pass(1, gate);
        gate.arrive(next);
        pass(1, gate);
        String code = code(gate);
        assertThat(redeem(gate, next, code, "phone")).isEqualTo(new Visit.NotInvited(InvitationRefusal.SOONER));
        assertThat(place(gate.arrive(next))).isEqualTo(2);
        assertThat(place(redeem(gate, code, "laptop"))).isEqualTo(press(1));
    }

    @Test
    void aRevokedSeriesIsRefusedWithoutACallOfTheStoreOnceTheGateKnows() {
        Gate other = gate("b", INVITING, RoomSignals.none());
        IssuedInvitations issued = issue(gate);
        long series = InvitationId.parse(issued.series()).orElseThrow();
        gate.engine().revokeInvitations(NAME, series);
        Visit revoked = new Visit.NotInvited(InvitationRefusal.REVOKED);
        assertThat(redeem(other, issued.codes().getFirst(), "phone")).as("the store knows").isEqualTo(revoked);
        pass(1, gate, other);
        int before = rooms.calls().get();
        assertThat(redeem(other, issued.codes().getFirst(), "phone")).isEqualTo(revoked);
        assertThat(rooms.calls()).hasValue(before);
        assertThat(other.room().isRevoked(series)).isTrue();
    }

    @Test
    void theUsesOfASeriesAreCounted() {
        gate.arrive();
        IssuedInvitations issued = gate.room().invite("press", 3, Duration.ofHours(1), null);
        issued.codes().subList(0, 2).forEach(code -> redeem(gate, code, "phone"));
        redeem(gate, code(gate), "phone");
        pass(1, gate);
        long series = InvitationId.parse(issued.series()).orElseThrow();
        assertThat(gate.room().invited(series)).isEqualTo(2);
        assertThat(gate.room().isRevoked(series)).isFalse();
    }

    @Test
    void aRoomThatGivesNoPlacesUsesNoCode() {
        String code = code(gate);
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.REJECT));
        pass(1, gate);
        assertThat(redeem(gate, code, "phone")).isInstanceOf(Visit.TurnedAway.class);
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.OPEN));
        pass(1, gate);
        assertThat(redeem(gate, code, "phone")).isInstanceOf(Visit.Ungated.class);
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.AUTO));
        pass(1, gate);
        gate.arrive();
        assertThat(place(redeem(gate, code, "phone"))).isEqualTo(press(1));
    }

    @Test
    void neitherAQuotaOfPlacesNorACheckConcernsAnInvitedVisitor() {
        Gate strict = gate("d", INVITING.withAddresses(AddressLimits.NONE.withJoins(new Rate(1, Duration.ofHours(1)))),
                RoomSignals.none());
        pass(2, strict);
        strict.arrive();
        assertThat(strict.arrive()).isInstanceOf(Visit.TooMany.class);
        Newcomer checked = new Newcomer() {
            @Override
            public String address() {
                return "198.51.100.1";
            }

            @Override
            public CompletionStage<Verdict> check(LongSupplier ofNetwork) {
                return CompletableFuture.completedFuture(new Verdict.Refuse());
            }
        };
        assertThat(place(answer(strict.room().visits().redeem(ShownTokens.NONE, code(strict), "phone", checked))))
                .isEqualTo(press(1));
    }

    @Test
    void aUserWhoCannotBeReadNowAsksAgainAndUsesUpNoTry() {
        String code = gate.room().invite("press", 1, Duration.ofHours(1), "ann").codes().getFirst();
        Newcomer broken = new Newcomer() {
            @Override
            public String address() {
                return "198.51.100.1";
            }

            @Override
            public Supplier<Optional<String>> signIn() {
                return () -> {
                    throw new IllegalStateException("planted");
                };
            }
        };
        assertThat(Stream.generate(() -> answer(gate.room().visits().redeem(ShownTokens.NONE, code, "phone", broken)))
                .limit(30))
                .hasOnlyElementsOfType(Visit.Unavailable.class);
    }

    @Test
    void theButtonTwiceKeepsThePlaceOfTheFirst() {
        gate.arrive();
        String code = code(gate);
        Visit first = redeem(gate, code, "phone");
        assertThat(place(redeem(gate, ticket(first), code, "phone"))).isEqualTo(press(1));
        assertThat(place(gate.arrive(ticket(first)))).isEqualTo(press(1));
        pass(10, gate);
        assertThat(place(redeem(gate, ticket(first), code, "phone"))).isEqualTo(press(1));
        assertThat(place(gate.arrive(ticket(first)))).isEqualTo(press(1));
    }

    @Test
    void aRepeatedRequestAfterAMoveLeavesThePlaceToTheDeviceThatHasIt() {
        Gate moving = gate("m", INVITING.withMove(true), RoomSignals.none());
        pass(2, moving);
        moving.arrive();
        String code = code(moving);
        ShownTokens first = ticket(redeem(moving, code, "phone"));
        String link = moving.room().visits().link(first).orElseThrow();
        ShownTokens moved = ticket(answer(moving.room().visits().takeOver(link, "laptop", () -> "x")));
        Visit again = redeem(moving, moved, code, "phone");
        assertThat(place(again)).isEqualTo(press(1));
        assertThat(place(moving.arrive(moved))).isEqualTo(press(1));
    }

    @Test
    void aUsedCodeIsNotSaidToStayGood() {
        gate.arrive();
        String code = code(gate);
        ShownTokens first = ticket(redeem(gate, code, "phone"));
        ShownTokens other = ticket(gate.arrive());
        assertThat(redeem(gate, first, code, "another tab")).isEqualTo(USED);
        assertThat(redeem(gate, other, code, "laptop")).isEqualTo(USED);
        pass(10, gate);
        assertThat(redeem(gate, first, code, "another tab")).isEqualTo(USED);
        assertThat(redeem(gate, other, code, "laptop")).isEqualTo(USED);
    }

    @Test
    void aPlaceThatWasGivenStaysWhenItsSeriesIsRevoked() {
        gate.arrive();
        IssuedInvitations issued = issue(gate);
        String code = issued.codes().getFirst();
        redeem(gate, code, "phone");
        gate.engine().revokeInvitations(NAME, InvitationId.parse(issued.series()).orElseThrow());
        pass(1, gate);
        assertThat(place(redeem(gate, code, "phone"))).isEqualTo(press(1));
    }

    @Test
    void inAModeThatLetsEveryVisitorPassAnInvitationKeepsNobodyOut() {
        gate.arrive();
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.SHADOW));
        pass(1, gate);
        assertThat(redeem(gate, code(gate), "phone")).isInstanceOf(Visit.Allowed.class);
        assertThat(redeem(gate, "wrong", "phone")).isInstanceOf(Visit.Allowed.class);
    }

    @Test
    void aCodeBesideAPassDoesNotLeadAroundTheBoundOfItsAddresses() {
        Gate strict = gate("e", INVITING.withAddresses(AddressLimits.NONE.withPerPass(1)), RoomSignals.none());
        pass(2, strict);
        ShownTokens shared = pass(strict.arrive());
        assertThat(strict.arrive(shared)).isInstanceOf(Visit.Allowed.class);
        assertThat(strict.arrive(shared, "198.51.100.2")).isInstanceOf(Visit.NotAllowed.class);
        assertThat(answer(strict.room().visits().redeem(shared, "any", "phone", () -> "198.51.100.2")))
                .isInstanceOf(Visit.NotAllowed.class);
    }

    @Test
    void goodCodesOfOneAddressThatAreUnderWayAreNoTries() {
        Queue<Runnable> calls = new ArrayDeque<>();
        RoomEngine engine = new RoomEngine(rooms, tokens, new GateId("slow"), time, new Random(3))
                .withCommitsOn(calls::add, () -> {});
        Gate slow = new Gate(engine, engine.declare(NAME, INVITING, RoomSignals.none()));
        engine.step();
        List<String> codes = slow.room().invite("press", 50, Duration.ofHours(1), null).codes();
        List<CompletableFuture<Visit>> visits = codes.stream()
                .map(code -> slow.room().visits().redeem(ShownTokens.NONE, code,
                        "phone", () -> "198.51.100.1").stage().toCompletableFuture())
                .toList();
        while (!calls.isEmpty()) {
            calls.remove().run();
        }
        assertThat(visits).allSatisfy(visit -> assertThat(visit.join()).isNotInstanceOf(Visit.TooMany.class));
    }

    @Test
    void inAnOutageTheStoreIsNotAskedForEachCode() {
        gate.arrive();
        String code = code(gate);
        store.failRandomly(1, 1);
        pass(5, gate);
        int before = rooms.calls().get();
        assertThat(redeem(gate, code, "phone")).isInstanceOf(Visit.Unavailable.class);
        assertThat(rooms.calls()).hasValue(before);
    }

    @Test
    void inAHeldRoomNobodyMovesBackwards() {
        gate.engine().change(NAME, new RoomChange.Mode(RoomMode.HOLD));
        pass(2, gate);
        ShownTokens former = ticket(gate.arrive());
        gate.room().invite("press", 50, Duration.ofHours(1), null).codes().forEach(code -> redeem(gate, code, "x"));
        pass(2, gate);
        assertThat(redeem(gate, former, code(gate), "phone"))
                .isEqualTo(new Visit.NotInvited(InvitationRefusal.SOONER));
    }
}
