package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomState;
import dev.orderly.room.VisitorId;
import dev.orderly.room.invitation.InvitationRefusal;
import dev.orderly.room.store.AdmissionRequest;
import dev.orderly.room.store.DrawStep;
import dev.orderly.room.store.GateId;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.InvitationUse.Former;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.RoomChange;
import dev.orderly.room.store.UserJoin;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.FaultyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Users with one place each, on all their devices: nobody has two, and nobody is kept from the next one. */
public interface RoomUserPart extends RoomPart {
    VisitorId ANN = new VisitorId(0xa11_a11_a11L << 32, 1);
    VisitorId BEN = new VisitorId(0xbe_be_be_beL << 32, 2);
    Duration TICKET = Duration.ofHours(24);

    private UserJoin user(VisitorId user) {
        return new UserJoin(user, List.of(), trial().in(TICKET), trial().in(Duration.ofHours(4)));
    }

    private JoinRequest asking(VisitorId user, @Nullable String tier, @Nullable InvitationUse use) {
        return new JoinRequest(trial().visitor(), trial().now(), trial().now(), null, tier, use, user(user));
    }

    private JoinRequest asking(VisitorId user) {
        return asking(user, null, null);
    }

    private JoinResult join(JoinRequest request) {
        return trial().rooms().join(SALE, List.of(request), trial().now()).getFirst();
    }

    /** A device without a ticket of the user asks for a place. */
    private JoinResult join(VisitorId user) {
        return join(asking(user));
    }

    /** The user takes a place. */
    private TicketHolder taken(VisitorId user) {
        JoinRequest request = asking(user);
        JoinResult result = join(request);
        assertThat(result).isInstanceOf(JoinResult.Placed.class);
        return new TicketHolder(request.visitor(), result);
    }

    private static JoinResult shared(TicketHolder holder, long ahead, Instant until) {
        return new JoinResult.Shared(holder.epoch(), holder.place(), holder.id(), ahead, until);
    }

    private JoinResult shared(TicketHolder holder) {
        return shared(holder, 0, trial().in(TICKET));
    }

    private long length() {
        return trial().state().line().length();
    }

    @Test
    default void aUserHasOnePlaceOnAllDevices() {
        trial().open(Limits.CLOSED);
        trial().line(2);
        TicketHolder first = taken(ANN);
        Instant until = trial().in(TICKET);
        trial().line(3);
        trial().pass(Duration.ofMinutes(5));
        assertThat(join(ANN)).isEqualTo(shared(first, 2, until)).isEqualTo(join(ANN));
        assertThat(taken(BEN).place()).isEqualTo(7);
        assertThat(length()).isEqualTo(7);
    }

    @Test
    default void devicesThatAskInOneCallGetOnePlace() {
        trial().open(Limits.CLOSED);
        List<JoinRequest> joins = List.of(asking(ANN), trial().asking(), asking(BEN), asking(ANN), asking(BEN));
        assertThat(trial().rooms().join(SALE, joins, trial().now())).extracting(JoinResult::place)
                .containsExactly(1L, 2L, 3L, 1L, 3L);
        assertThat(length()).isEqualTo(3);
    }

    @Test
    default void ofGatesThatAskForAUserAtOnceOneGivesThePlace() throws Exception {
        trial().open(Limits.CLOSED);
        List<JoinRequest> requests = Stream.generate(() -> asking(ANN)).limit(6).toList();
        List<JoinResult> results = new ArrayList<>();
        try (ExecutorService gates = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<JoinResult> each : gates.invokeAll(requests.stream()
                    .<Callable<JoinResult>>map(request -> () -> join(request)).toList())) {
                results.add(each.get());
            }
        }
        assertThat(results).extracting(JoinResult::place).containsOnly(1L);
        assertThat(results).filteredOn(JoinResult.Placed.class::isInstance).hasSize(1);
        assertThat(length()).isEqualTo(1);
    }

    @Test
    default void aRequestOfAUserWhoseAnswerWasLostIsAnsweredWithItsPlace() {
        trial().open(Limits.CLOSED);
        FaultyStore faulty = trial().faulty();
        faulty.failNext(FaultyStore.Call.ROOM_JOIN, FaultyStore.Fault.AFTER, 1);
        JoinRequest request = asking(ANN);
        assertThatThrownBy(() -> faulty.rooms().join(SALE, List.of(request), trial().now()))
                .isInstanceOf(StoreException.OutcomeUnknown.class);
        assertThat(join(request)).isEqualTo(shared(new TicketHolder(request.visitor(), 1, 1)));
        faulty.failNext(FaultyStore.Call.ROOM_JOIN, FaultyStore.Fault.BEFORE, 1);
        assertThatThrownBy(() -> faulty.rooms().join(SALE, List.of(asking(BEN)), trial().now()))
                .isInstanceOf(StoreException.Unavailable.class);
        assertThat(taken(BEN).place()).isEqualTo(2);
    }

    @Test
    default void theOnePlaceOfAUserOutlastsACrash() {
        trial().open(Limits.CLOSED);
        TicketHolder first = taken(ANN);
        TicketHolder second = trial().move(taken(BEN));
        trial().crash();
        trial().open(Limits.CLOSED);
        assertThat(join(ANN)).isEqualTo(shared(first));
        assertThat(join(BEN)).isEqualTo(shared(second, 1, trial().in(TICKET)));
        trial().depart(first);
        assertThat(taken(ANN).place()).isEqualTo(3);
    }

    @Test
    default void aUserInsideGetsNoFurtherPlaceAndAfterTheStayAnother() {
        trial().open(Limits.CLOSED);
        TicketHolder first = taken(ANN);
        trial().govern(Limits.NONE);
        assertThat(trial().admit(first)).isEqualTo(trial().entered());
        assertThat(join(ANN)).as("inside").isEqualTo(shared(first));
        assertThat(trial().admit(first)).as("the second device").isEqualTo(trial().entered());
        assertThat(trial().active()).isEqualTo(1);
        assertThat(trial().state().pace().admitted()).isEqualTo(1);
        trial().pass(PASS);
        assertThat(taken(ANN).place()).as("afterwards").isEqualTo(2);
        assertThat(trial().revive(first)).as("the stay goes on beside another place").isFalse();
        trial().crash();
        assertThat(join(ANN).place()).isEqualTo(2);
    }

    @Test
    default void aPassThatNobodyTookLeavesTheUserThePlace() {
        trial().open(Limits.CLOSED);
        TicketHolder first = taken(ANN);
        trial().govern(Limits.NONE);
        assertThat(trial().admit(AdmissionRequest.Kind.UNTAKEN, first)).isEqualTo(trial().entered());
        Instant until = trial().in(TICKET);
        assertThat(join(ANN)).isEqualTo(shared(first, 0, until));
        trial().pass(PASS.plusSeconds(1));
        assertThat(join(ANN)).isEqualTo(shared(first, 0, until));
        assertThat(trial().admit(first)).isEqualTo(trial().entered());
    }

    @Test
    default void aPassThatAGateOutOfReachMayLetGoOnCountsAsThePlaceOfItsUser() {
        trial().open(Limits.CLOSED);
        TicketHolder first = taken(ANN);
        trial().govern(Limits.NONE);
        trial().admit(first);
        Instant until = trial().in(TICKET);
        trial().lease(new GateId("far"), PASS.minusSeconds(10), PASS.plusSeconds(50));
        trial().pass(PASS.plusSeconds(20));
        assertThat(join(ANN)).isEqualTo(shared(first, 0, until));
        trial().pass(Duration.ofSeconds(40));
        assertThat(taken(ANN).place()).isEqualTo(2);
    }

    @Test
    default void aUserWhoGaveThePlaceBackOnOneDeviceHasItOnNoneAndTakesAnother() {
        trial().open(Limits.CLOSED);
        TicketHolder first = taken(ANN);
        trial().depart(first);
        assertThat(trial().state().voided()).as("what the gates of other devices learn")
                .containsEntry(first.id(), trial().in(TICKET));
        assertThat(taken(ANN).place()).isEqualTo(2);
        TicketHolder other = taken(BEN);
        trial().revoke(other);
        assertThat(taken(BEN).place()).as("after a revocation by the id").isEqualTo(4);
        assertThat(join(ANN).place()).isEqualTo(2);
    }

    @Test
    default void aMovedPlaceStaysTheOnePlaceOfItsUser() {
        trial().open(Limits.CLOSED);
        TicketHolder first = taken(ANN);
        TicketHolder moved = trial().move(first);
        assertThat(join(ANN)).isEqualTo(shared(moved));
        trial().depart(first);
        assertThat(join(ANN)).as("the former visitor departs").isEqualTo(shared(moved));
        trial().depart(moved);
        assertThat(taken(ANN).place()).isEqualTo(2);
    }

    @Test
    default void withItsTicketThePlaceOfAUserEndsButNotWhileTheUserIsInside() {
        trial().open(Limits.CLOSED);
        TicketHolder ann = taken(ANN);
        taken(BEN);
        Instant until = trial().in(TICKET);
        trial().govern(Limits.NONE);
        trial().admit(ann);
        assertThat(trial().renew(ann, TICKET.plusHours(2))).isTrue();
        trial().pass(TICKET);
        trial().open(Limits.CLOSED);
        trial().open(Limits.CLOSED); // stores forget from time to time
        assertThat(join(ANN)).isEqualTo(shared(ann, 0, until));
        assertThat(taken(BEN).place()).isEqualTo(3);
    }

    /** The user is inside for longer than the ticket lived; then the pass ends, and stores forget from time to time. */
    private TicketHolder stayedBeyondTheTicket(VisitorId user) {
        trial().open(Limits.CLOSED);
        TicketHolder holder = taken(user);
        trial().govern(Limits.NONE);
        trial().admit(holder);
        assertThat(trial().renew(holder, TICKET.plus(PASS))).isTrue();
        trial().pass(TICKET.plus(PASS));
        trial().open(Limits.NONE);
        trial().open(Limits.NONE);
        trial().pass(Duration.ofMinutes(50));
        trial().open(Limits.NONE);
        return holder;
    }

    @Test
    default void aStayThatIsRevivedAfterItsTicketIsThePlaceOfItsUser() {
        TicketHolder ann = stayedBeyondTheTicket(ANN);
        assertThat(trial().revive(ann)).isTrue();
        trial().crash();
        assertThat(join(ANN)).isInstanceOf(JoinResult.Shared.class).extracting(JoinResult::place)
                .isEqualTo(ann.place());
        trial().open(Limits.NONE);
        trial().open(Limits.NONE);
        assertThat(join(ANN).place()).isEqualTo(ann.place());
    }

    @Test
    default void aStayThatEndedAfterItsTicketIsNotRevivedBesideAnotherPlace() {
        TicketHolder ann = stayedBeyondTheTicket(ANN);
        trial().crash();
        trial().open(Limits.CLOSED);
        TicketHolder other = taken(ANN);
        trial().open(Limits.NONE);
        assertThat(trial().revive(ann)).isFalse();
        assertThat(join(ANN).place()).isEqualTo(other.place());
    }

    @Test
    default void aPassThatNobodyTookIsNotRevivedBesideAnotherPlace() {
        trial().open(Limits.CLOSED);
        TicketHolder ann = taken(ANN);
        TicketHolder ben = taken(BEN);
        trial().pass(TICKET.minus(PASS));
        trial().govern(Limits.NONE);
        assertThat(trial().admit(AdmissionRequest.Kind.UNTAKEN, List.of(ann, ben))).containsOnly(trial().entered());
        trial().pass(PASS);
        trial().govern(Limits.CLOSED);
        TicketHolder other = taken(ANN);
        trial().open(Limits.NONE);
        assertThat(trial().revive(ann)).isFalse();
        assertThat(trial().revive(ben)).isTrue();
        assertThat(join(ANN).place()).isEqualTo(other.place());
        assertThat(join(BEN).place()).isEqualTo(ben.place());
    }

    @Test
    default void aNewEpochEndsThePlacesOfUsers() {
        trial().open(Limits.CLOSED);
        trial().line(1);
        taken(ANN);
        trial().change(new RoomChange.NewEpoch());
        trial().open(Limits.CLOSED);
        TicketHolder first = taken(ANN);
        assertThat(first.place()).isEqualTo(1);
        trial().crash();
        assertThat(join(ANN)).isEqualTo(shared(first));
    }

    @Test
    default void anotherKeyOfTheSiteFindsThePlaceOfAUser() {
        trial().open(Limits.CLOSED);
        TicketHolder first = taken(ANN);
        VisitorId renewed = new VisitorId(0x7777, 9);
        UserJoin known = new UserJoin(renewed, List.of(BEN, ANN), trial().in(TICKET), trial().in(TICKET));
        assertThat(join(new JoinRequest(trial().visitor(), trial().now(), trial().now(), null, null, null, known)))
                .isEqualTo(shared(first));
        assertThat(join(renewed)).as("by the new key alone").isEqualTo(shared(first));
        trial().depart(first);
        assertThat(join(renewed).place()).isEqualTo(2);
    }

    @Test
    default void aLobbyWithADrawHasOneTicketOfAUser() {
        trial().open(Limits.CLOSED);
        trial().change(new RoomChange.Draw(new DrawStep.Commit(trial().in(PASS), null, "ab".repeat(32))));
        UserJoin user = user(ANN);
        Stream.of("11", "22").forEach(leaf -> join(new JoinRequest(trial().visitor(), trial().now(), trial().now(),
                leaf.repeat(32), null, null, user)));
        assertThat(length()).isEqualTo(1);
        assertThat(trial().rooms().leaves(SALE, 1, 9, trial().now())).containsOnly(0x11).hasSize(32);
    }

    @Test
    default void anInvitationMovesTheOnePlaceOfAUser() {
        RoomTierPart.step(trial(), Limits.CLOSED, RoomTierPart.TIERS);
        TicketHolder first = taken(ANN);
        TicketHolder another = trial().line(1).getFirst();
        Instant end = trial().in(PASS);
        assertThat(join(asking(ANN, "press", new InvitationUse(RoomInvitationPart.INVITATION, 1, end,
                new Former(another.id(), another.place()))))).as("another place").isEqualTo(shared(first));
        InvitationUse use = new InvitationUse(RoomInvitationPart.INVITATION, 1, end,
                new Former(first.id(), first.place()));
        JoinRequest request = asking(ANN, "press", use);
        JoinResult placed = join(request);
        assertThat(placed).isInstanceOf(JoinResult.Placed.class);
        TicketHolder press = new TicketHolder(request.visitor(), placed);
        assertThat(join(ANN)).isEqualTo(shared(press));
        assertThat(trial().state().voided()).as("what the gates of other devices learn").containsKey(first.id());
        assertThat(join(request)).as("the repeated request").extracting(JoinResult::place).isEqualTo(press.place());
        trial().depart(press);
        assertThat(join(request)).as("repeated once more")
                .isEqualTo(new JoinResult.Uninvited(1, InvitationRefusal.SPENT));
        assertThat(taken(ANN).place()).as("a repeated request gives nothing back").isEqualTo(3);
    }

    @Test
    default void aRepeatedInvitationGivesBackNoPlaceThatIsOver() {
        RoomTierPart.step(trial(), Limits.CLOSED, RoomTierPart.TIERS);
        JoinRequest request = asking(ANN, "press", new InvitationUse(RoomInvitationPart.INVITATION, 1,
                trial().in(TICKET.multipliedBy(2)), null));
        TicketHolder press = new TicketHolder(request.visitor(), join(request));
        Instant until = trial().in(TICKET);
        trial().pass(TICKET.minusSeconds(1));
        assertThat(join(request)).as("its ticket ends as before").isEqualTo(shared(press, 0, until));
        trial().pass(Duration.ofSeconds(1));
        JoinResult spent = new JoinResult.Uninvited(1, InvitationRefusal.SPENT);
        assertThat(join(request)).as("the ticket has ended").isEqualTo(spent);
        TicketHolder other = taken(ANN);
        assertThat(join(request)).as("beside another place").isEqualTo(spent);
        assertThat(join(ANN)).isEqualTo(shared(other));
    }

    @Test
    default void anInvitationGivesNoSecondPlaceToAUserWhoIsCalledOrInside() {
        RoomTierPart.step(trial(), Limits.CLOSED, RoomTierPart.TIERS);
        TicketHolder first = taken(ANN);
        RoomState state = RoomTierPart.step(trial(), Limits.NONE, RoomTierPart.TIERS, first);
        assertThat(state.line().cursor()).isEqualTo(1);
        InvitationUse use = new InvitationUse(RoomInvitationPart.INVITATION, 1, trial().in(PASS),
                new Former(first.id(), first.place()));
        JoinResult sooner = new JoinResult.Uninvited(1, InvitationRefusal.SOONER);
        assertThat(join(asking(ANN, "press", use))).as("called").isEqualTo(sooner);
        trial().admit(first);
        assertThat(join(asking(ANN, "press", use))).as("inside").isEqualTo(sooner);
        assertThat(join(ANN)).isEqualTo(shared(first));
    }
}
