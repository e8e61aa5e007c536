package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static dev.orderly.testkit.contract.room.RoomTrial.capacity;
import static dev.orderly.testkit.contract.room.RoomTrial.spent;
import static dev.orderly.testkit.contract.room.RoomTrial.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomState;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RenewalRequest;
import dev.orderly.room.store.RoomChange;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Renewal, revival and end of passes. */
public interface RoomPassPart extends RoomPart {
    private List<TicketHolder> inside(int visitors, Limits limits) {
        List<TicketHolder> line = trial().called(visitors, limits);
        assertThat(trial().admit(AdmissionRequest.Kind.TAKEN, line)).containsOnly(trial().entered());
        return line;
    }

    @Test
    default void aRenewedPassLivesToItsNewEnd() {
        TicketHolder visitor = inside(1, capacity(1)).getFirst();
        trial().pass(Duration.ofMinutes(3));
        assertThat(trial().renew(visitor, PASS)).isTrue();
        trial().pass(PASS.minusMillis(1));
        assertThat(trial().active()).isEqualTo(1);
        trial().pass(Duration.ofMillis(1));
        assertThat(trial().active()).isZero();
    }

    @Test
    default void aRenewalNeverShortensAPass() {
        TicketHolder visitor = inside(1, capacity(1)).getFirst();
        assertThat(trial().renew(visitor, Duration.ofSeconds(1))).isTrue();
        trial().pass(PASS.minusMillis(1));
        assertThat(trial().active()).isEqualTo(1);
    }

    @Test
    default void anEndedPassIsNotRenewed() {
        List<TicketHolder> visitors = inside(2, capacity(2));
        trial().pass(PASS.minusMillis(1));
        assertThat(trial().renew(visitors.get(0), PASS)).isTrue();
        trial().pass(Duration.ofMillis(1));
        assertThat(trial().renew(visitors.get(1), PASS)).isFalse();
        assertThat(trial().renew(visitors.get(0), PASS)).isTrue();
        assertThat(trial().active()).isEqualTo(1);
    }

    @Test
    default void renewalsAreAnsweredInListOrder() {
        TicketHolder visitor = inside(1, capacity(1)).getFirst();
        RenewalRequest good = new RenewalRequest(visitor.id(), 1, visitor.place(), trial().in(PASS), false);
        RenewalRequest bad = new RenewalRequest(trial().visitor(), 1, 1, trial().in(PASS), false);
        assertThat(trial().rooms().renew(SALE, List.of(bad, good, bad, good), trial().now())).containsExactly(false,
                true,
                false, true);
    }

    @Test
    default void aRenewalUsesTheTicketUp() {
        trial().open(capacity(1));
        JoinResult joined = trial().join();
        assertThat(joined).isInstanceOf(JoinResult.Entered.class);
        TicketHolder quiet = trial().called(1, capacity(2)).getFirst();
        assertThat(trial().admit(AdmissionRequest.Kind.UNTAKEN, quiet)).isEqualTo(trial().entered());
        assertThat(trial().renew(quiet, PASS)).isTrue();
        trial().pass(PASS);
        assertThat(trial().admit(quiet)).isEqualTo(spent());
    }

    @Test
    default void anEndedPassIsRevivedOnlyWithinTheCapacity() {
        List<TicketHolder> visitors = inside(2, capacity(2));
        trial().pass(PASS);
        trial().govern(capacity(1));
        assertThat(trial().revive(visitors.get(1))).isTrue();
        assertThat(trial().revive(visitors.get(0))).isFalse();
        assertThat(trial().revive(visitors.get(1))).as("it lives").isTrue();
        assertThat(trial().active()).isEqualTo(1);
        trial().crash();
        trial().open(capacity(2));
        assertThat(trial().active()).isEqualTo(1);
        assertThat(trial().admit(visitors.get(1))).isEqualTo(trial().entered());
        assertThat(trial().admit(visitors.get(0))).isEqualTo(spent());
    }

    @Test
    default void aDepartureFreesCapacityAtOnce() {
        List<TicketHolder> line = trial().called(2, capacity(1));
        assertThat(trial().admit(line.get(0))).isEqualTo(trial().entered());
        assertThat(trial().admit(line.get(1))).isEqualTo(waits(0));
        trial().depart(line.get(0));
        assertThat(trial().active()).isZero();
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
        assertThat(trial().renew(line.get(0), PASS)).isFalse();
        assertThat(trial().admit(line.get(0))).isEqualTo(spent());
        assertThat(trial().state().voided()).containsOnlyKeys(line.get(0).id());
    }

    @Test
    default void aDepartedVisitorNoLongerWaits() {
        List<TicketHolder> line = trial().called(2, capacity(1));
        trial().present(line.get(0));
        trial().depart(line.get(0));
        assertThat(trial().state().load().door()).isZero();
        assertThat(trial().admit(line.get(1))).isEqualTo(trial().entered());
        assertThat(trial().admit(line.get(0))).isEqualTo(spent());
        assertThat(trial().admit(AdmissionRequest.Kind.RECORDED, line.get(0))).isEqualTo(spent());
    }

    @Test
    default void aRenewalBringsNoDepartedVisitorBack() {
        List<TicketHolder> visitors = inside(2, Limits.NONE);
        trial().depart(visitors.get(0));
        trial().pass(PASS);
        trial().depart(visitors.get(1));
        assertThat(visitors).allSatisfy(visitor -> assertThat(trial().revive(visitor)).isFalse());
        trial().crash();
        trial().open(Limits.NONE);
        assertThat(visitors).allSatisfy(visitor -> assertThat(trial().revive(visitor)).isFalse());
        assertThat(trial().active()).isZero();
    }

    @Test
    default void aVisitorIsRevokedByTheIdAlone() {
        List<TicketHolder> line = trial().called(3, Limits.NONE);
        assertThat(trial().admit(line.get(0))).isEqualTo(trial().entered());
        line.forEach(trial()::revoke);
        assertThat(trial().active()).isZero();
        assertThat(trial().state().voided()).hasSize(3);
        trial().crash();
        trial().open(Limits.NONE);
        assertThat(trial().state().voided()).hasSize(3);
        assertThat(trial().admit(AdmissionRequest.Kind.TAKEN, line)).containsOnly(spent());
        assertThat(trial().admit(AdmissionRequest.Kind.RECORDED, line)).containsOnly(spent());
        assertThat(line).allSatisfy(visitor -> assertThat(trial().revive(visitor)).isFalse());
        assertThat(trial().active()).isZero();
    }

    @Test
    default void aDepartureWithAnUnissuedPlaceAffectsNobodyElse() {
        trial().called(1, Limits.NONE);
        trial().depart(new TicketHolder(trial().visitor(), 1, 2));
        TicketHolder next = trial().called(1, Limits.NONE).getFirst();
        assertThat(next.place()).isEqualTo(2);
        assertThat(trial().admit(next)).isEqualTo(trial().entered());
    }

    @Test
    default void aPassOfAnUnissuedPlaceIsNotRevived() {
        trial().called(1, Limits.NONE);
        assertThat(trial().revive(new TicketHolder(trial().visitor(), 1, 2))).isFalse();
        assertThat(trial().active()).isZero();
        TicketHolder next = trial().called(1, Limits.NONE).getFirst();
        assertThat(next.place()).isEqualTo(2);
        assertThat(trial().admit(next)).isEqualTo(trial().entered());
    }

    @Test
    default void revokedVisitorsAreForgottenWhenTheirTokensExpire() {
        trial().revoke(trial().called(1, Limits.NONE).getFirst());
        assertThat(trial().govern(Limits.NONE).voided()).hasSize(1);
        trial().pass(Duration.ofHours(24));
        assertThat(trial().govern(Limits.NONE).voided()).isEmpty();
    }

    @Test
    default void aNewEpochVoidsAllTokens() {
        List<TicketHolder> line = inside(2, Limits.NONE);
        List<TicketHolder> more = trial().called(2, Limits.NONE);
        trial().present(more.toArray(TicketHolder[]::new));
        trial().change(new RoomChange.Admit(7));
        trial().revoke(line.get(0));
        RoomState anew = trial().change(new RoomChange.NewEpoch());
        checkAnew(anew);
        for (TicketHolder old : List.of(line.get(0), line.get(1), more.get(0))) {
            assertThat(trial().admit(old)).isEqualTo(spent());
            assertThat(trial().admit(AdmissionRequest.Kind.RECORDED, old)).isEqualTo(spent());
            assertThat(trial().renew(old, PASS)).isFalse();
            assertThat(trial().revive(old)).isFalse();
        }
        trial().crash();
        checkAnew(trial().state());
        trial().open(Limits.NONE);
        assertThat(trial().join()).isEqualTo(new JoinResult.Entered(2, 1, trial().in(PASS)));
    }

    private static void checkAnew(RoomState anew) {
        assertThat(anew.epoch()).isEqualTo(2);
        assertThat(anew.line()).isEqualTo(new RoomState.Line(0, 0, 0, false));
        assertThat(anew.load().active()).isZero();
        assertThat(anew.load().known()).isZero();
        assertThat(anew.load().granted()).isZero();
        assertThat(anew.voided()).isEmpty();
        assertThat(anew.pace().admitted()).isZero();
    }

    @Test
    default void aPlaceOfANewEpochIsIndependentOfTheOldEpoch() {
        TicketHolder old = inside(1, Limits.NONE).getFirst();
        trial().change(new RoomChange.NewEpoch());
        TicketHolder visitor = trial().called(1, Limits.NONE).getFirst();
        assertThat(visitor.place()).isEqualTo(old.place());
        assertThat(trial().admit(old)).isEqualTo(spent());
        assertThat(trial().admit(AdmissionRequest.Kind.RECORDED, old)).isEqualTo(spent());
        assertThat(trial().revive(old)).isFalse();
        trial().depart(old);
        trial().crash();
        trial().open(Limits.NONE);
        assertThat(trial().admit(visitor)).isEqualTo(trial().entered());
        assertThat(trial().admit(new TicketHolder(old.id(), 3, 1))).as("a later epoch").isEqualTo(spent());
    }

    @Test
    default void inANewEpochGatesHaveToReportAgain() {
        trial().open(Limits.NONE);
        trial().change(new RoomChange.NewEpoch());
        assertThat(trial().join()).isInstanceOf(JoinResult.Placed.class);
        trial().gate();
        assertThat(trial().join()).isInstanceOf(JoinResult.Entered.class);
    }
}
