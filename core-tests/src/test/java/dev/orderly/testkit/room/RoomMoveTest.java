package dev.orderly.testkit.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Places that move to another device, at one gate and at several. */
class RoomMoveTest extends RoomTest {
    private static final RoomOptions MOVABLE = room(1).withMove(true);

    private final Gate gate = gate(MOVABLE);

    private String link(ShownTokens ticket) {
        return gate.room().visits().link(ticket).orElseThrow();
    }

    private static Visit take(Gate at, String link, String device) {
        return answer(at.room().visits().takeOver(link, device, () -> "198.51.100.2"));
    }

    private ShownTokens waiting() {
        gate.arrive();
        return ticket(gate.arrive());
    }

    @Test
    void aLinkCostsNoStoreCallAndAMoveCostsOne() {
        ShownTokens former = waiting();
        int before = rooms.calls().get();
        String link = link(former);
        assertThat(rooms.calls()).hasValue(before);
        take(gate, link, "phone");
        assertThat(rooms.calls()).hasValue(before + 1);
        for (int i = 0; i < 10; i++) {
            assertThat(gate.arrive(former)).isEqualTo(new Visit.Moved());
            take(gate, link + "x", "phone");
        }
        assertThat(rooms.calls()).as("neither a former ticket nor a forged link asks the store").hasValue(before + 1);
    }

    @Test
    void aMovedTicketHasThePlaceAndTheLifeOfTheFormerTicket() {
        ShownTokens former = waiting();
        time.advance(Duration.ofMinutes(3));
        ShownTokens later = ticket(take(gate, link(former), "phone"));
        var before = tokens.ticket(former.tickets().getFirst(), NAME, 1, time.now()).orElseThrow();
        var after = tokens.ticket(later.tickets().getFirst(), NAME, 1, time.now()).orElseThrow();
        assertThat(after).usingRecursiveComparison().ignoringFields("visitor").isEqualTo(before);
        assertThat(after.visitor()).isNotEqualTo(before.visitor());
    }

    @Test
    void anotherGateRefusesTheFormerTicketAfterItsNextReportAndNeverAdmitsIt() {
        Gate other = gate("b", MOVABLE, RoomSignals.none());
        Visit first = gate.arrive();
        ShownTokens former = ticket(gate.arrive());
        assertThat(other.arrive(former)).isInstanceOf(Visit.Waiting.class);
        ShownTokens later = ticket(take(gate, link(former), "phone"));
        assertThat(gate.arrive(former)).isEqualTo(new Visit.Moved());
        gate.room().visits().leave(pass(first)).toCompletableFuture().join();
        assertThat(other.arrive(former)).as("within the second the place is shown, and not entered")
                .isInstanceOf(Visit.Waiting.class);
        pass(1, gate, other);
        assertThat(other.arrive(former)).isEqualTo(new Visit.Moved());
        assertThat(admitted(other.arrive(later)).pass().place()).isEqualTo(2);
    }

    @Test
    void aConnectedFormerDeviceHearsOfIt() {
        ShownTokens former = waiting();
        RecordingListener listener = new RecordingListener();
        assertThat(gate.room().visits().listen(former, listener)).isTrue();
        String link = link(former);
        pass(1, gate);
        assertThat(listener.ended).isFalse();
        take(gate, link, "phone");
        pass(1, gate);
        assertThat(listener.ended).isTrue();
    }

    @Test
    void aPassThatWasReadyMovesWithThePlace() {
        Visit first = gate.arrive();
        ShownTokens former = ticket(gate.arrive());
        String link = link(former);
        gate.room().visits().listen(former, new RecordingListener());
        gate.room().visits().leave(pass(first)).toCompletableFuture().join();
        pass(2, gate);
        assertThat(gate.room().state().load().active()).isEqualTo(1);
        ShownTokens later = ticket(take(gate, link, "phone"));
        assertThat(admitted(gate.arrive(later)).pass().place()).isEqualTo(2);
        assertThat(gate.arrive(former)).isEqualTo(new Visit.Moved());
    }

    @Test
    void aRoomThatForbidsItMakesAndTakesNoLink() {
        ShownTokens former = waiting();
        String link = link(former);
        gate.room().change(MOVABLE.withMove(false));
        assertThat(gate.room().visits().link(former)).isEmpty();
        assertThat(take(gate, link, "phone")).isEqualTo(new Visit.NoTicket());
        assertThat(gate.arrive(former)).isInstanceOf(Visit.Waiting.class);
    }

    @Test
    void aLinkOfAVisitorWhoEnteredOrLeftCountsForNothing() {
        Visit first = gate.arrive();
        ShownTokens former = ticket(gate.arrive());
        ShownTokens third = ticket(gate.arrive());
        List<String> links = List.of(link(former), link(third));
        gate.room().visits().leave(third).toCompletableFuture().join();
        gate.room().visits().leave(pass(first)).toCompletableFuture().join();
        pass(2, gate);
        admitted(gate.arrive(former));
        assertThat(links).allSatisfy(link -> assertThat(take(gate, link, "phone")).isEqualTo(new Visit.NoTicket()));
        assertThat(gate.room().state().moved()).isEmpty();
    }
}
