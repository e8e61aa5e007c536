package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomName;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.crowd.Verdict;
import dev.orderly.room.gate.Reply;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomChange;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.ForwardingRooms;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Visitors about whom a check is asked, while other things happen. */
class CheckedJoinTest extends RoomTest {
    private static final AddressLimits ONE_AN_HOUR = new AddressLimits(new Rate(1, Duration.ofHours(1)), null, null);
    private static final Verdict SLOW = new Verdict.Slow(Duration.ofSeconds(60));

    private final Gate gate = gate(room(0).withAddresses(ONE_AN_HOUR));
    /** The questions that were asked, each with what the network had taken. */
    private final List<CompletableFuture<Verdict>> asked = new ArrayList<>();
    private final List<Long> ofNetwork = new ArrayList<>();

    /** A visitor about whom the check is asked. */
    private final class Asked implements Newcomer {
        private final String address;

        Asked(String address) {
            this.address = address;
        }

        @Override
        public String address() {
            return address;
        }

        @Override
        public CompletionStage<Verdict> check(LongSupplier places) {
            CompletableFuture<Verdict> question = new CompletableFuture<>();
            asked.add(question);
            ofNetwork.add(places.getAsLong());
            return question;
        }
    }

    /** Rooms in which something happens while the next place is taken. */
    private final class HeldJoins extends ForwardingRooms {
        private Runnable meanwhile = () -> {};
        private boolean fails;

        HeldJoins() {
            super(CheckedJoinTest.this.rooms);
        }

        @Override
        public List<JoinResult> join(RoomName room, List<JoinRequest> joins, Instant now) {
            Runnable once = meanwhile;
            meanwhile = () -> {};
            once.run();
            if (fails) {
                fails = false;
                throw new StoreException.Unavailable("planted", null);
            }
            return super.join(room, joins, now);
        }
    }

    private Reply<Visit> arrives(Gate at, ShownTokens shown, String address) {
        return at.room().visits().arrive(shown, new Asked(address), true);
    }

    private Visit arrives(Gate at, ShownTokens shown, String address, Verdict verdict) {
        Reply<Visit> reply = arrives(at, shown, address);
        asked.forEach(question -> question.complete(verdict));
        return answer(reply);
    }

    private static ShownTokens proof(Visit visit) {
        assertThat(visit).isInstanceOf(Visit.Slowed.class);
        return new ShownTokens(List.of(Objects.requireNonNull(((Visit.Slowed) visit).token())), List.of());
    }

    @Test
    void aWaitGivesItsPlaceAlsoWhereAnAddressTakesOneAnHour() {
        ShownTokens proof = proof(arrives(gate, ShownTokens.NONE, "192.0.2.1", SLOW));
        assertThat(arrives(gate, ShownTokens.NONE, "192.0.2.1", SLOW)).as("questions are bounded")
                .isInstanceOf(Visit.TooMany.class);
        pass(60, gate);
        waiting(arrives(gate, proof, "192.0.2.1", SLOW));
        assertThat(asked).hasSize(1);
    }

    @Test
    void whoIsKeptOutWithoutAVerdictMayAskAgain() {
        Verdict none = new Verdict.Failed(false);
        assertThat(arrives(gate, ShownTokens.NONE, "192.0.2.1", none)).isInstanceOf(Visit.Unchecked.class);
        pass(10, gate);
        waiting(arrives(gate, ShownTokens.NONE, "192.0.2.1", new Verdict.Allow()));
        assertThat(arrives(gate, ShownTokens.NONE, "192.0.2.1", none)).isInstanceOf(Visit.TooMany.class);
    }

    @Test
    void aProofThatIsShownAgainIsTheTicketOfItsPlace() {
        ShownTokens proof = proof(arrives(gate, ShownTokens.NONE, "192.0.2.1", SLOW));
        pass(60, gate);
        Visit.Waiting first = waiting(arrives(gate, proof, "192.0.2.1", SLOW));
        Visit.Waiting tab = waiting(arrives(gate, proof, "198.51.100.9", SLOW));
        assertThat(tab.position().ticket().visitor()).isEqualTo(first.position().ticket().visitor());
        assertThat(tab.token()).as("the browser gets its ticket even if the first answer was lost").isNotNull();
        pass(1, gate);
        assertThat(gate.room().state().line().length()).isEqualTo(1);
        assertThat(asked).hasSize(1);
    }

    @Test
    void aProofThatIsShownTwiceAtOnceGivesOnePlace() {
        HeldJoins held = new HeldJoins();
        Gate other = gate("b", held, room(0).withAddresses(ONE_AN_HOUR), RoomSignals.none());
        ShownTokens proof = proof(arrives(other, ShownTokens.NONE, "192.0.2.1", SLOW));
        pass(60, other);
        List<Reply<Visit>> second = new ArrayList<>();
        held.meanwhile = () -> second.add(arrives(other, proof, "192.0.2.1"));
        Visit.Waiting first = waiting(answer(arrives(other, proof, "192.0.2.1")));
        assertThat(waiting(answer(second.getFirst())).position().ticket().visitor())
                .isEqualTo(first.position().ticket().visitor());
        assertThat(asked).hasSize(1);
    }

    @Test
    void aProofWhosePlaceTheStoreDidNotGiveIsGoodAgain() {
        HeldJoins held = new HeldJoins();
        held.fails = true;
        Gate other = gate("b", held, room(0).withAddresses(ONE_AN_HOUR), RoomSignals.none());
        ShownTokens proof = proof(arrives(other, ShownTokens.NONE, "192.0.2.1", SLOW));
        pass(60, other);
        List<Reply<Visit>> second = new ArrayList<>();
        held.meanwhile = () -> second.add(arrives(other, proof, "192.0.2.1"));
        assertThat(answer(arrives(other, proof, "192.0.2.1"))).isInstanceOf(Visit.Unavailable.class);
        assertThat(answer(second.getFirst())).isInstanceOf(Visit.Unavailable.class);
        pass(5, other);
        waiting(answer(arrives(other, proof, "192.0.2.1")));
        assertThat(asked).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(value = RoomMode.class, names = {"REJECT", "DRAIN"})
    void aRoomThatTakesNoVisitorsMeanwhileGivesNoPlace(RoomMode mode) {
        for (Verdict verdict : List.of(new Verdict.Allow(), SLOW, new Verdict.Failed(true))) {
            Reply<Visit> reply = arrives(gate, ShownTokens.NONE, "192.0.2." + asked.size());
            change(mode);
            asked.getLast().complete(verdict);
            assertThat(answer(reply)).as("%s", verdict).isInstanceOf(Visit.TurnedAway.class);
            change(RoomMode.AUTO);
        }
        assertThat(gate.room().state().line().length()).isZero();
    }

    @ParameterizedTest
    @EnumSource(value = RoomMode.class, names = {"OPEN", "SHADOW"})
    void aRoomThatLetsAllPassMeanwhileKeepsNobodyOutside(RoomMode mode) {
        Reply<Visit> reply = arrives(gate, ShownTokens.NONE, "192.0.2.1");
        change(mode);
        asked.getLast().complete(new Verdict.Refuse());
        assertThat(answer(reply)).isInstanceOf(Visit.Ungated.class);
    }

    @Test
    void aRoomThatLetNobodyPassFreelyMeanwhileDoesNotLetThroughWhoAskedBefore() {
        change(RoomMode.SHADOW);
        Reply<Visit> reply = arrives(gate, ShownTokens.NONE, "192.0.2.1");
        change(RoomMode.AUTO);
        asked.getLast().complete(new Verdict.Allow());
        waiting(answer(reply));
    }

    @Test
    void theBrowserKeepsTheProofOfAWaitInShadowModeToo() {
        change(RoomMode.SHADOW);
        Visit visit = arrives(gate, ShownTokens.NONE, "192.0.2.1", SLOW);
        assertThat(visit).isInstanceOf(Visit.Ungated.class);
        ShownTokens proof = new ShownTokens(List.of(String.valueOf(((Visit.Ungated) visit).ticketToken())), List.of());
        assertThat(arrives(gate, proof, "198.51.100.1")).isInstanceOf(Reply.Now.class);
        assertThat(asked).as("each page that it reads asks no more").hasSize(1);
    }

    @Test
    void placesThatAreBeingTakenCountForTheirNetwork() {
        HeldJoins held = new HeldJoins();
        Gate other = gate("b", held, room(0), RoomSignals.none());
        held.meanwhile = () -> arrives(other, ShownTokens.NONE, "192.0.2.2");
        answer(other.room().visits().arrive(ShownTokens.NONE, () -> "192.0.2.1", true));
        arrives(other, ShownTokens.NONE, "192.0.2.3");
        arrives(other, ShownTokens.NONE, "198.51.100.1");
        assertThat(ofNetwork).containsExactly(1L, 1L, 0L);
    }

    @Test
    void whoIsAskedAboutAtTheEndOfALobbyStandsBehindItsDraw() {
        ZonedDateTime opens = time.now().atZone(ZoneOffset.UTC).plusSeconds(25);
        Gate other = gate("b", rooms, room(0).withOpenings(new Openings(List.of(
                new Opening(opens, Duration.ofSeconds(20), null, null).drawn(null)), false)), RoomSignals.none());
        pass(10, other);
        waiting(arrives(other, ShownTokens.NONE, "192.0.2.1", new Verdict.Allow()));
        Reply<Visit> late = arrives(other, ShownTokens.NONE, "192.0.2.2");
        pass(30, other);
        asked.getLast().complete(new Verdict.Allow());
        Visit.Waiting told = waiting(answer(late));
        assertThat(told.position().ticket().place()).isEqualTo(2);
        assertThat(told.position().ticket().entry()).as("an entry in the draw").isNull();
    }

    @Test
    void whoIsAskedAboutAsAnOpeningEndsGetsNoPlace() {
        ZonedDateTime now = time.now().atZone(ZoneOffset.UTC);
        Gate other = gate("b", rooms, room(0).withOpenings(new Openings(List.of(
                new Opening(now.plusSeconds(5), Duration.ZERO, now.plusSeconds(20), null)), false)),
                RoomSignals.none());
        pass(10, other);
        Reply<Visit> late = arrives(other, ShownTokens.NONE, "192.0.2.2");
        pass(15, other);
        asked.getLast().complete(new Verdict.Allow());
        assertThat(answer(late)).isInstanceOf(Visit.TurnedAway.class);
    }

    private void change(RoomMode mode) {
        gate.engine().change(NAME, new RoomChange.Mode(mode));
        gate.engine().step();
    }
}
