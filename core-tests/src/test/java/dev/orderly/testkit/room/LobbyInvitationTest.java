package dev.orderly.testkit.room;

import static dev.orderly.testkit.room.InvitationTest.INVITING;
import static dev.orderly.testkit.room.InvitationTest.SPENT;
import static dev.orderly.testkit.room.InvitationTest.code;
import static dev.orderly.testkit.room.InvitationTest.place;
import static dev.orderly.testkit.room.InvitationTest.press;
import static dev.orderly.testkit.room.InvitationTest.redeem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.RoomSignals;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.invitation.InvitationRefusal;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Invitations in the lobby of an opening. */
class LobbyInvitationTest extends RoomTest {
    private final Gate gate = gate("a", INVITING, RoomSignals.none());

    /** An opening whose lobby has begun. */
    private Opening opening() {
        return new Opening(time.now().plus(Duration.ofMinutes(10)).atZone(ZoneOffset.UTC), Duration.ofMinutes(30), null,
                null);
    }

    @Test
    void aRepeatedRequestInTheLobbyOfADrawTakesNoPlaceThatIsGood() {
        RoomOptions lobby = INVITING.withOpenings(new Openings(List.of(opening().drawn(null)), false));
        Gate early = gate("c", lobby, RoomSignals.none());
        gate.room().change(lobby);
        pass(2, gate, early);
        early.arrive();
        pass(1, gate, early);
        String code = code(early);
        ShownTokens given = ticket(redeem(early, code, "phone"));
        assertThat(place(redeem(gate, given, code, "phone"))).as("while the place is good").isEqualTo(press(1));
        early.room().visits().leave(given);
        ShownTokens anew = ticket(early.arrive());
        assertThat(List.of(redeem(early, anew, code, "phone"), redeem(gate, anew, code, "phone"))).containsOnly(SPENT);
        assertThat(place(early.arrive(anew))).isEqualTo(2);
    }

    @Test
    void theReceiptOfAFormThatWasSentTwiceWithoutScriptNamesTheServersNonce() {
        gate.room().change(INVITING.withOpenings(new Openings(List.of(opening().drawn(null)), false)));
        pass(3, gate);
        String code = code(gate);
        ShownTokens lost = ticket(redeem(gate, code, "phone"));
        ShownTokens kept = ticket(redeem(gate, code, "phone"));
        pass(600, gate);
        assertThat(List.of(lost, kept)).allSatisfy(ticket -> assertThat(
                gate.room().visits().receipt(ticket).toCompletableFuture().join().orElseThrow().browser()).isFalse());
    }

    @Test
    void beforeAnOpeningACodeGivesAPlaceWithoutADraw() {
        Gate early = gate("c", INVITING.withOpenings(new Openings(List.of(opening()), false)), RoomSignals.none());
        pass(2, early);
        for (int n = 0; n < 30; n++) {
            early.arrive();
        }
        ShownTokens former = ticket(early.arrive());
        assertThat(place(redeem(early, former, code(early), "phone"))).isEqualTo(press(1));
    }

    @Test
    void inALobbyNobodyMovesBackwards() {
        Gate early = gate("c", INVITING.withOpenings(new Openings(List.of(opening()), false)), RoomSignals.none());
        pass(2, early);
        ShownTokens former = ticket(early.arrive());
        early.room().invite("press", 50, Duration.ofHours(1), null).codes().forEach(code -> redeem(early, code, "x"));
        pass(2, early);
        assertThat(redeem(early, former, code(early), "phone"))
                .isEqualTo(new Visit.NotInvited(InvitationRefusal.SOONER));
    }
}
