package dev.orderly.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.VisitorId;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.sim.Scenario.Faults;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A visitor at a gate that is cut off from the store. */
class OutagePassesTest {
    private static final byte[] SECRET = "a secret of tests, 32 bytes and more".getBytes(StandardCharsets.US_ASCII);
    private static final Limits LIMITS = new Limits(1, null);
    private static final long LONGEST = 60_000;

    private final Random random = new Random(1);
    private final Agenda agenda = new Agenda(random);
    private final OutagePasses goingOn = new OutagePasses(agenda, LONGEST);
    private final Gate gate = new Gate(0, agenda, new RoomTokens(TokenKeys.of(List.of(SECRET))), Scenario.small(1,
            LIMITS).withFaults(Faults.NONE), new GateStore(new Depot(agenda, store -> store, true),
                    new Referee(agenda, LIMITS, true, Duration.ZERO, false)));

    @BeforeEach
    void theGateIsCutOff() {
        gate.start();
        gate.cutOff(true);
        awayFor(1);
    }

    @Test
    void aVisitorCountsForSomeSecondsAfterARequest() {
        goingOn.seen(VisitorId.random(random), gate);
        awayFor(4_000);
        assertThat(goingOn.count()).isEqualTo(1);
        awayFor(7_000);
        assertThat(goingOn.count()).isZero();
    }

    @Test
    void aVisitorCountsNoLongerThanTheGateAcceptsTheExpiredPass() {
        awayFor(LONGEST - 2_000);
        goingOn.seen(VisitorId.random(random), gate);
        assertThat(goingOn.count()).isEqualTo(1);
        awayFor(LONGEST + 1);
        assertThat(goingOn.count()).isZero();
    }

    @Test
    void aVisitorDoesNotCountOnceTheGateReachesTheStore() {
        goingOn.seen(VisitorId.random(random), gate);
        gate.cutOff(false);
        while (!gate.reachable()) {
            agenda.next();
        }
        assertThat(goingOn.count()).isZero();
    }

    private void awayFor(long millis) {
        while (gate.outageTime() < millis) {
            agenda.next();
        }
    }
}
