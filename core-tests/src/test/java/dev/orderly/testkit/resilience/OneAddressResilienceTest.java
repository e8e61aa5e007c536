package dev.orderly.testkit.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.AddressLimits;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.testkit.room.RoomTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An address that requests the whole room. */
class OneAddressResilienceTest extends RoomTest {
    private static final String GREEDY = "203.0.113.7";

    @Test
    void aClientWithoutCookiesGetsFewPlacesAndVisitorsFromElsewhereEnter() {
        Gate gate = gate(RoomOptions.of(new Limits(50, null)));
        int most = 0;
        for (int second = 0; second < 120; second++) {
            for (int request = 0; request < 5; request++) {
                gate.arrive(ShownTokens.NONE, GREEDY);
            }
            pass(1, gate);
            most = Math.max(most, gate.room().state().load().active());
        }
        assertThat(most).isLessThanOrEqualTo(5);
        int entered = 0;
        for (int visitor = 0; visitor < 40; visitor++) {
            entered += gate.arrive(ShownTokens.NONE, "198.51.100." + visitor) instanceof Visit.Admitted ? 1 : 0;
        }
        assertThat(entered).as("of 40 from elsewhere, at once").isGreaterThanOrEqualTo(25);
    }

    @Test
    void everyVisitorOfABusyAddressWithCookiesEnters() {
        Gate gate = gate(RoomOptions.of(new Limits(50, null)));
        List<ShownTokens> visitors = new ArrayList<>();
        for (int visitor = 0; visitor < 30; visitor++) {
            Visit visit = gate.arrive(ShownTokens.NONE, GREEDY);
            visitors.add(visit instanceof Visit.Admitted ? pass(visit) : ticket(visit));
        }
        pass(2, gate);
        visitors.forEach(shown -> admitted(gate.arrive(shown, GREEDY)));
        pass(1, gate);
        assertThat(gate.room().state().load().active()).isEqualTo(30);
    }

    @Test
    void visitorsWithPassesDoNotCountAgainstNewVisitorsOfTheirAddress() {
        Gate gate = gate(RoomOptions.of(new Limits(50, null)));
        for (int visitor = 0; visitor < 40; visitor++) {
            admitted(gate.arrive(pass(gate.arrive(ShownTokens.NONE, GREEDY)), GREEDY));
        }
    }

    @Test
    void aPassUsedFromTooManyAddressesIsIgnoredAtFurtherAddresses() {
        RoomOptions options = room(2).withAddresses(new AddressLimits(null, null, 3));
        Gate gate = gate(options);
        ShownTokens pass = pass(gate.arrive(pass(gate.arrive())));
        for (int n = 1; n <= 3; n++) {
            admitted(gate.arrive(pass, "192.0.2." + n));
        }
        int served = 0;
        for (int n = 4; n < 204; n++) {
            Visit visit = gate.arrive(pass, "192.0.2." + n);
            served += visit instanceof Visit.Admitted(var given, _, _)
                    && given.place() == 1 ? 1 : 0;
        }
        assertThat(served).isZero();
        admitted(gate.arrive(pass, "192.0.2.2"));
    }

    @Test
    void aStayHasAnEndByDefault() {
        Gate gate = gate(RoomOptions.of(new Limits(1, null)));
        ShownTokens pass = pass(gate.arrive());
        Duration stayed = Duration.ZERO;
        while (stayed.toHours() < 8
                && answer(gate.room().visits().enter(pass)) instanceof Visit.Admitted(_, String token, _)) {
            pass = token == null ? pass : new ShownTokens(List.of(), List.of(token));
            time.advance(Duration.ofSeconds(50));
            pass(1, gate);
            stayed = stayed.plusSeconds(51);
        }
        assertThat(stayed).isBetween(Duration.ofHours(3), Duration.ofHours(5));
    }
}
