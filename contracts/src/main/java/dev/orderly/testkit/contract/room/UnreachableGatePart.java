package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static dev.orderly.testkit.contract.room.RoomTrial.capacity;
import static dev.orderly.testkit.contract.room.RoomTrial.spent;
import static dev.orderly.testkit.contract.room.RoomTrial.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Promises while one of several gates is unreachable, and for any use of tokens. */
public interface UnreachableGatePart extends RoomPart {
    GateId AWAY = new GateId("away");
    Duration MINUTE = Duration.ofMinutes(1);

    @Test
    default void aPassThatEndsWhileAGateIsUnreachableCountsAsInsideUntilTheLeaseEnds() {
        List<TicketHolder> line = trial().oneInside();
        trial().lease(AWAY, PASS.minusSeconds(1), PASS.plus(MINUTE));
        trial().pass(PASS);
        assertThat(trial().admit(line.get(1))).isEqualTo(waits(0));
        assertThat(trial().active()).isEqualTo(1);
        for (int step = 0; step < 30; step++) {
            trial().govern(capacity(1)); // after this silence the gate no longer counts
        }
        trial().pass(MINUTE.minusMillis(1));
        assertThat(trial().admit(line.get(1))).isEqualTo(waits(0));
        trial().pass(Duration.ofMillis(1));
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
    }

    @Test
    default void aGateThatReportsAgainKeepsNoCapacity() {
        List<TicketHolder> line = trial().oneInside();
        trial().lease(AWAY, PASS.minusSeconds(1), PASS.plus(MINUTE));
        trial().pass(PASS);
        assertThat(trial().admit(line.get(1))).isEqualTo(waits(0));
        trial().lease(AWAY, Duration.ofSeconds(3), MINUTE);
        assertThat(trial().active()).isZero();
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
    }

    @Test
    default void aPassThatEndsWhileAllGatesReportFreesCapacityAtOnce() {
        List<TicketHolder> line = trial().oneInside();
        trial().lease(AWAY, PASS, PASS.plus(MINUTE));
        trial().pass(PASS);
        assertThat(trial().active()).isZero();
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
    }

    @Test
    default void aPassThatStillCountsAsInsideIsRevivedInAFullRoom() {
        List<TicketHolder> line = trial().oneInside();
        trial().lease(AWAY, PASS.minusSeconds(1), PASS.plus(MINUTE));
        trial().pass(PASS);
        assertThat(trial().renew(line.get(0), PASS)).as("it has ended").isFalse();
        assertThat(trial().revive(line.get(0))).isTrue();
        assertThat(trial().active()).isEqualTo(1);
        assertThat(trial().admit(line.get(1))).isEqualTo(waits(0));
    }

    @Test
    default void aDepartureFreesCapacityAtOnceWhileAGateIsUnreachable() {
        List<TicketHolder> line = trial().oneInside();
        trial().lease(AWAY, PASS.minusSeconds(1), PASS.plus(MINUTE));
        trial().depart(line.get(0));
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
    }

    @Test
    default void aVisitorWhoOnlyJoinsEntersWhenTheTicketIsShown() {
        trial().open(capacity(1));
        JoinRequest join = new JoinRequest(trial().visitor(), trial().in(RoomTrial.PRESENT), trial().now());
        JoinResult placed = trial().rooms().join(SALE, List.of(join), trial().now()).getFirst();
        assertThat(placed).isInstanceOf(JoinResult.Placed.class);
        assertThat(trial().active()).isZero();
        assertThat(trial().join()).as("the next visitor waits behind this one")
                .isInstanceOf(JoinResult.Placed.class);
        trial().govern(capacity(1));
        assertThat(trial().admit(new TicketHolder(join.visitor(), placed))).isEqualTo(trial().entered());
    }

    @Test
    default void aRevocationLastsAsLongAsTheRevokedPass() {
        TicketHolder visitor = trial().called(1, Limits.NONE).getFirst();
        assertThat(trial().admit(visitor)).isEqualTo(trial().entered());
        trial().revoke(visitor, MINUTE);
        trial().pass(PASS.minusMillis(1));
        assertThat(trial().govern(Limits.NONE).voided()).containsOnlyKeys(visitor.id());
        trial().crash();
        trial().open(Limits.NONE);
        assertThat(trial().state().voided()).containsOnlyKeys(visitor.id());
        assertThat(trial().admit(visitor)).isEqualTo(spent());
        assertThat(trial().revive(visitor)).isFalse();
        trial().pass(Duration.ofMillis(1));
        assertThat(trial().govern(Limits.NONE).voided()).isEmpty();
    }

    @Test
    default void aSecondDepartureShortensNoRevocation() {
        TicketHolder visitor = trial().called(1, Limits.NONE).getFirst();
        assertThat(trial().admit(AdmissionRequest.Kind.TAKEN, visitor)).isEqualTo(trial().entered());
        trial().revoke(visitor, Duration.ofHours(2));
        trial().revoke(visitor, MINUTE);
        trial().crash();
        trial().open(Limits.NONE);
        trial().pass(Duration.ofHours(2).minusMillis(1));
        assertThat(trial().govern(Limits.NONE).voided()).containsOnlyKeys(visitor.id());
        assertThat(trial().revive(visitor)).isFalse();
    }
}
