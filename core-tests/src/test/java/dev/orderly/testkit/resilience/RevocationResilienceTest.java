package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.RoomOptions;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.room.RoomTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Revoked visitors stay out, whichever token lives longest. */
class RevocationResilienceTest extends RoomTest {
    private static final RoomOptions LONG_PASSES = room(2)
            .withStay(new TokenLifetimes(Duration.ofHours(24), null, Duration.ofMinutes(1)));

    private void away() {
        for (Call call : List.of(Call.ROOM_JOIN, Call.ROOM_ADMIT, Call.ROOM_RENEW, Call.ROOM_DEPART, Call.ROOM_SYNC,
                Call.ROOM_GOVERN)) {
            store.failNext(call, Fault.BEFORE, 100_000);
        }
    }

    private static void assertVoid(Gate gate, ShownTokens pass) {
        assertThat(answer(gate.room().visits().enter(pass))).isInstanceOf(Visit.NoTicket.class);
    }

    @Test
    void aRevokedPassStaysVoidEvenIfItOutlivesEveryTicket() {
        Gate gate = gate(LONG_PASSES);
        Visit.Admitted visit = admitted(gate.arrive(pass(gate.arrive())));
        ShownTokens pass = pass(visit);
        gate.engine().revoke(NAME, visit.pass().visitor());
        pass(3, gate);
        for (int hour = 0; hour < 26; hour++) {
            assertVoid(gate, pass);
            time.advance(Duration.ofHours(1));
            pass(61, gate);
        }
    }

    @Test
    void aVisitorWhoLeftDoesNotReturnWithAPassThatOutlivesEveryTicket() {
        Gate gate = gate(LONG_PASSES);
        ShownTokens pass = pass(gate.arrive(pass(gate.arrive())));
        gate.room().visits().leave(pass).toCompletableFuture().join();
        time.advance(Duration.ofHours(2));
        pass(61, gate);
        assertVoid(gate, pass);
    }

    @Test
    void aRevokedPassIsNotRevivedByAnOutageThatOutlastsIt() {
        Gate gate = gate(room(2).withStay(new TokenLifetimes(Duration.ofMinutes(5), null, Duration.ofMinutes(1))));
        Visit.Admitted visit = admitted(gate.arrive(pass(gate.arrive())));
        ShownTokens pass = pass(visit);
        gate.engine().revoke(NAME, visit.pass().visitor());
        away();
        for (int minute = 0; minute < 90; minute++) {
            time.advance(Duration.ofMinutes(1));
            pass(1, gate);
            assertVoid(gate, pass);
        }
        store.heal();
        for (int second = 0; second < 70; second++) {
            pass(1, gate);
            assertVoid(gate, pass);
        }
    }
}
