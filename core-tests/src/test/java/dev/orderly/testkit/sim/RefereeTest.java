package dev.orderly.testkit.sim;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.Limits;
import dev.orderly.room.Rate;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.UserJoin;
import dev.orderly.room.token.Pass;
import dev.orderly.room.token.RoomTokens;
import dev.orderly.room.token.Ticket;
import dev.orderly.room.token.TokenKeys;
import dev.orderly.testkit.sim.Scenario.Faults;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two places of a room that admits one visitor a minute. */
class RefereeTest {
    private static final byte[] SECRET = "a secret of tests, 32 bytes and more".getBytes(StandardCharsets.US_ASCII);
    private static final Limits LIMITS = new Limits(null, new Rate(1, Duration.ofSeconds(60)));
    private static final long PRESENT = 3_000;
    private static final long PASS = 30_000;

    private final Random random = new Random(1);
    private final Agenda agenda = new Agenda(random);
    private final Referee referee = new Referee(agenda, LIMITS, true, Duration.ZERO, false);
    private final VisitorId first = VisitorId.random(random);
    private final VisitorId second = VisitorId.random(random);

    private final Scenario scenario = Scenario.small(1, LIMITS).withFaults(Faults.NONE);
    private final Depot depot = new Depot(agenda, scenario.flaws().store(), true);
    private final Gate gate = gate(0);

    @BeforeEach
    void theFirstIsPresent() {
        gate.start();
        referee.joined(1, 1);
        referee.joined(1, 2);
        referee.present.asked(ticket(1), PRESENT, gate);
    }

    @Test
    void aPresentVisitorMayNotBeOvertaken() {
        assertThatThrownBy(() -> referee.entered(second, 2, PASS)).hasMessageContaining("kept for those before: 1 at");
    }

    @Test
    void aVisitorWhoGaveBackThePlaceIsNotPresent() {
        referee.givenBack(ticket(1));
        assertThatCode(() -> referee.entered(second, 2, PASS)).doesNotThrowAnyException();
    }

    @Test
    void aTicketThatAnInvitationReplacedAdmitsNobody() {
        referee.movedOn(first, 1);
        assertThatThrownBy(() -> referee.entered(first, 1, PASS)).hasMessageContaining("its ticket is used up");
        assertThatCode(() -> referee.entered(second, 2, PASS)).as("nobody is overtaken").doesNotThrowAnyException();
    }

    @Test
    void anInvitationGivesOnePlaceAndARepeatedRequestTheSame() {
        JoinRequest request = join(first);
        JoinResult press = placed(Tiers.start(1) + 1);
        referee.holders.joined(request, press);
        assertThatCode(() -> referee.holders.joined(request, press)).doesNotThrowAnyException();
        assertThatThrownBy(() -> referee.holders.joined(join(second), press)).hasMessageContaining("Another");
        assertThatThrownBy(() -> referee.holders.joined(request, placed(Tiers.start(1) + 2)))
                .hasMessageContaining("by one invitation");
    }

    @Test
    void aUserHasOnePlaceUntilItIsGivenBack() {
        UserJoin user = new UserJoin(VisitorId.random(random), List.of(), agenda.time.now(), agenda.time.now());
        JoinRequest one = new JoinRequest(first, agenda.time.now(), agenda.time.now(), null, null, null, user);
        JoinRequest two = new JoinRequest(second, agenda.time.now(), agenda.time.now(), null, null, null, user);
        referee.holders.joined(one, placed(3));
        assertThatThrownBy(() -> referee.holders.joined(two, new JoinResult.Shared(1, 3, second, 0,
                agenda.time.now()))).hasMessageContaining("shares place 3");
        assertThatThrownBy(() -> referee.holders.joined(two, placed(4))).hasMessageContaining("of place 3 got place 4");
        referee.departed(second, 4);
        assertThatCode(() -> referee.holders.joined(one, placed(5))).doesNotThrowAnyException();
    }

    private JoinRequest join(VisitorId visitor) {
        Instant now = agenda.time.now();
        return new JoinRequest(visitor, now, now, null, "press", new InvitationUse(new InvitationId(1, 1), 1, now,
                null));
    }

    private static JoinResult placed(long place) {
        return new JoinResult.Placed(1, place, 0);
    }

    @Test
    void givingBackAPlaceOfAnotherEpochDoesNotAffectThisEpoch() {
        referee.givenBack(ticket(0));
        assertThatThrownBy(() -> referee.entered(second, 2, PASS)).hasMessageContaining("kept for those before: 1 at");
    }

    @Test
    void theEndOfAConnectionOfAnotherEpochDoesNotAffectThisEpoch() {
        referee.present.connected(ticket(1), 0, gate);
        agenda.in(2 * PRESENT, () -> {});
        agenda.next();
        referee.present.disconnected(ticket(0), gate);
        assertThatThrownBy(() -> referee.entered(second, 2, PASS)).hasMessageContaining("1 at gate 0/1 connected");
    }

    /** A visitor with a connection to one gate asks at another. */
    @Test
    void aVisitorIsPresentAtSeveralGates() {
        Gate other = gate(1);
        other.start();
        referee.present.connected(ticket(1), 0, gate);
        referee.present.asked(ticket(1), PRESENT, other);
        other.kill();
        assertThatThrownBy(() -> referee.entered(second, 2, PASS)).hasMessageContaining("1 at gate 0/1 connected");
    }

    @Test
    void aVisitorAdmittedByAGateAloneCounts() {
        admitTheFirst();
        assertThatThrownBy(() -> referee.entered(second, 2, PASS)).hasMessageContaining("beyond the rate");
    }

    @Test
    void aVisitorAdmittedByADeadGateAloneDoesNotCount() {
        admitTheFirst();
        gate.kill();
        assertThatCode(() -> referee.entered(second, 2, PASS)).doesNotThrowAnyException();
    }

    @Test
    void anAdmissionThatADeadGateReportedInTimeCounts() {
        admitTheFirst();
        referee.recorded(first);
        gate.kill();
        assertThatThrownBy(() -> referee.entered(second, 2, PASS)).hasMessageContaining("beyond the rate");
    }

    /** Makes the store unreachable; the gate notices. */
    private void admitTheFirst() {
        depot.away(PASS);
        Objects.requireNonNull(gate.engine()).step();
        Instant now = agenda.time.now();
        referee.handed(new Pass(Gate.ROOM, first, 1, 1, Duration.ZERO, now, now.plusMillis(PASS), null),
                Visitor.Decision.of(gate, agenda));
    }

    private Gate gate(int number) {
        return new Gate(number, agenda, new RoomTokens(TokenKeys.of(List.of(SECRET))), scenario,
                new GateStore(depot, referee));
    }

    private Ticket ticket(long epoch) {
        Instant now = agenda.time.now();
        return new Ticket(Gate.ROOM, first, epoch, 1, 0, now, now.plusSeconds(60));
    }
}
