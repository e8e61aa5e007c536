package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static dev.orderly.testkit.contract.room.RoomTrial.rate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.Limits;
import dev.orderly.room.Tiers;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.AdmissionResult;
import dev.orderly.room.store.Departure;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.InvitationUse.Former;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomChange;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.FaultyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Places by invitations: each gives one, to one visitor, and nobody moves backwards by it. */
public interface RoomInvitationPart extends RoomPart {
    InvitationId INVITATION = new InvitationId(0xfedc_ba98_7654L, 7);
    Duration INVITED = Duration.ofDays(7);

    private void open(Limits limits) {
        RoomTierPart.step(trial(), limits, RoomTierPart.TIERS);
    }

    private InvitationUse use(InvitationId invitation, @Nullable TicketHolder former) {
        return new InvitationUse(invitation, trial().state().epoch(), trial().in(INVITED),
                former == null ? null : new Former(former.id(), former.place()));
    }

    private JoinRequest asking(InvitationUse use) {
        return new JoinRequest(trial().visitor(), trial().now(), trial().now(), null, "press", use);
    }

    private JoinResult redeem(JoinRequest request) {
        return trial().rooms().join(SALE, List.of(request), trial().now()).getFirst();
    }

    private JoinResult redeem(@Nullable TicketHolder former) {
        return redeem(asking(use(INVITATION, former)));
    }

    private JoinResult redeem() {
        return redeem(asking(use(INVITATION, null)));
    }

    /** The places that the line of the tier has given. */
    private long places() {
        return Tiers.number(trial().state().tiers().getLast().line().length());
    }

    private static JoinResult press(long number) {
        return new JoinResult.Placed(1, Tiers.start(2) + number, number - 1);
    }

    private static JoinResult refused(@Nullable InvitationRefusal why) {
        return new JoinResult.Uninvited(1, why);
    }

    @Test
    default void anInvitationGivesOnePlaceInTheLineOfItsTier() {
        open(Limits.CLOSED);
        assertThat(redeem()).isEqualTo(press(1));
        assertThat(redeem()).isEqualTo(refused(InvitationRefusal.USED));
        assertThat(redeem(asking(use(new InvitationId(INVITATION.series(), 8), null)))).isEqualTo(press(2));
        assertThat(places()).isEqualTo(2);
    }

    @Test
    default void aUsedInvitationStaysSoAfterACrash() {
        open(Limits.CLOSED);
        redeem();
        trial().crash();
        open(Limits.CLOSED);
        assertThat(redeem()).isEqualTo(refused(InvitationRefusal.USED));
        assertThat(places()).isEqualTo(1);
    }

    @Test
    default void ofGatesThatUseAnInvitationAtOnceOneGetsThePlace() throws Exception {
        open(Limits.CLOSED);
        List<JoinRequest> requests = Stream.generate(() -> asking(use(INVITATION, null))).limit(6).toList();
        List<JoinResult> results = new ArrayList<>();
        try (ExecutorService gates = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<JoinResult> each : gates.invokeAll(requests.stream()
                    .<Callable<JoinResult>>map(request -> () -> redeem(request)).toList())) {
                results.add(each.get());
            }
        }
        assertThat(results).containsOnlyOnce(press(1)).filteredOn(refused(InvitationRefusal.USED)::equals).hasSize(5);
        assertThat(places()).isEqualTo(1);
    }

    @Test
    default void aRepeatedRequestGetsThePlaceOfTheFirst() {
        open(Limits.CLOSED);
        FaultyStore faulty = trial().faulty();
        faulty.failNext(FaultyStore.Call.ROOM_JOIN, FaultyStore.Fault.AFTER, 1);
        JoinRequest request = asking(use(INVITATION, null));
        assertThatThrownBy(() -> faulty.rooms().join(SALE, List.of(request), trial().now()))
                .isInstanceOf(StoreException.OutcomeUnknown.class);
        assertThat(redeem(asking(use(new InvitationId(INVITATION.series(), 8), null)))).isEqualTo(press(2));
        assertThat(redeem(request)).isEqualTo(press(1));
        trial().crash();
        open(Limits.CLOSED);
        assertThat(redeem(request)).isEqualTo(press(1));
        assertThat(places()).isEqualTo(2);
    }

    @Test
    default void aRequestThatFailsUsesNoInvitation() {
        open(Limits.CLOSED);
        FaultyStore faulty = trial().faulty();
        faulty.failNext(FaultyStore.Call.ROOM_JOIN, FaultyStore.Fault.BEFORE, 1);
        assertThatThrownBy(() -> faulty.rooms().join(SALE, List.of(asking(use(INVITATION, null))), trial().now()))
                .isInstanceOf(StoreException.Unavailable.class);
        assertThat(redeem()).isEqualTo(press(1));
    }

    @Test
    default void aRevokedSeriesGivesNoPlacesAndOthersDo() {
        open(Limits.CLOSED);
        VisitorId series = InvitationId.revocation(INVITATION.series());
        trial().rooms().depart(SALE, List.of(new Departure(series, 1, 0, trial().in(INVITED))), trial().now());
        assertThat(redeem()).isEqualTo(refused(InvitationRefusal.REVOKED));
        assertThat(trial().state().voided()).as("what gates learn").containsKey(series);
        trial().crash();
        open(Limits.CLOSED);
        assertThat(redeem()).isEqualTo(refused(InvitationRefusal.REVOKED));
        assertThat(redeem(asking(use(new InvitationId(1, 1), null)))).isEqualTo(press(1));
    }

    @Test
    default void anInvitationThatEndedOrIsOfAnotherEpochGivesNoPlace() {
        open(Limits.CLOSED);
        assertThat(redeem(asking(new InvitationUse(INVITATION, 1, trial().now(), null))))
                .isEqualTo(refused(InvitationRefusal.ENDED));
        JoinRequest before = asking(use(INVITATION, null));
        trial().change(new RoomChange.NewEpoch());
        assertThat(redeem(before)).isEqualTo(new JoinResult.Uninvited(2, InvitationRefusal.ENDED));
        assertThat(places()).isZero();
    }

    @Test
    default void theFormerPlaceEndsWithTheUse() {
        open(Limits.CLOSED);
        TicketHolder former = trial().line(1).getFirst();
        trial().present(former);
        assertThat(redeem(former)).isEqualTo(press(1));
        assertThat(trial().state().load().known()).as("present visitors").isZero();
        open(Limits.NONE);
        assertThat(trial().admit(former)).isEqualTo(new AdmissionResult.Spent());
        trial().crash();
        open(Limits.NONE);
        assertThat(trial().admit(former)).isEqualTo(new AdmissionResult.Spent());
    }

    @Test
    default void nobodyMovesBackwardsByAnInvitation() {
        open(Limits.CLOSED);
        List<TicketHolder> line = trial().line(2);
        RoomTierPart.step(trial(), rate(1, Duration.ofMinutes(1)), RoomTierPart.TIERS, line.get(0));
        assertThat(redeem(line.get(0))).as("the place is called").isEqualTo(refused(InvitationRefusal.SOONER));
        assertThat(trial().admit(AdmissionRequest.Kind.UNTAKEN, line.subList(0, 1))).containsOnly(trial().entered());
        assertThat(redeem(line.get(0))).as("it has a pass").isEqualTo(refused(InvitationRefusal.SOONER));
        JoinRequest press = new JoinRequest(trial().visitor(), trial().now(), trial().now(), null, "press");
        TicketHolder same = new TicketHolder(press.visitor(), redeem(press));
        assertThat(redeem(same)).as("the line is the same").isEqualTo(refused(InvitationRefusal.SOONER));
        assertThat(redeem()).as("the invitation was not used").isEqualTo(press(2));
    }

    @Test
    default void aFormerPlaceThatIsSpentCountsAsNone() {
        open(Limits.CLOSED);
        List<TicketHolder> line = trial().line(2);
        RoomTierPart.step(trial(), Limits.NONE, RoomTierPart.TIERS, line.get(0), line.get(1));
        trial().depart(line.get(0));
        assertThat(redeem(line.get(0))).isEqualTo(press(1));
        TicketHolder unknown = new TicketHolder(trial().visitor(), 1, 900);
        assertThat(redeem(asking(use(new InvitationId(2, 1), unknown)))).isEqualTo(press(2));
    }

    @Test
    default void aUsedInvitationStaysSoBesideManyRevokedVisitors() {
        open(Limits.CLOSED);
        redeem();
        for (int n = 0; n < 101; n++) {
            trial().rooms().depart(SALE, Stream
                    .generate(() -> new Departure(trial().visitor(), 1, 0, trial().in(INVITED.multipliedBy(2))))
                    .limit(1_000).toList(), trial().now());
        }
        for (int n = 0; n < 60; n++) {
            open(Limits.CLOSED); // stores forget from time to time
        }
        assertThat(trial().state().voided()).as("what gates learn").containsKey(INVITATION.use());
        assertThat(redeem()).isEqualTo(refused(InvitationRefusal.USED));
    }

    @Test
    default void withoutALineOfItsTierAnInvitationIsNotUsed() {
        RoomTierPart.step(trial(), Limits.CLOSED, Tiers.NONE);
        assertThat(redeem()).isEqualTo(refused(null));
        open(Limits.CLOSED);
        assertThat(redeem()).isEqualTo(press(1));
    }

    @Test
    default void aVisitorWithAnInvitationEntersAtOnceWhereAnAdmissionIsFree() {
        open(Limits.CLOSED);
        open(Limits.NONE);
        JoinRequest request = new JoinRequest(trial().visitor(), trial().now(), trial().in(RoomTrial.PASS), null,
                "press",
                use(INVITATION, null));
        assertThat(redeem(request)).isEqualTo(new JoinResult.Entered(1, Tiers.start(2) + 1, request.passUntil()));
        assertThat(redeem(request)).as("again").isEqualTo(press(1));
        assertThat(trial().active()).isEqualTo(1);
    }

    @Test
    default void invitationsAmongOtherJoinsGivePlacesInTheirOrder() {
        open(Limits.CLOSED);
        List<JoinRequest> joins = List.of(trial().asking(), asking(use(INVITATION, null)), trial().asking(),
                asking(use(INVITATION, null)), asking(use(new InvitationId(3, 1), null)));
        assertThat(trial().rooms().join(SALE, joins, trial().now())).extracting(JoinResult::place)
                .containsExactly(1L, Tiers.start(2) + 1, 2L, 0L, Tiers.start(2) + 2);
    }
}
