package dev.orderly.testkit.contract.room;

import static dev.orderly.testkit.contract.room.RoomDrawPart.BEACON;
import static dev.orderly.testkit.contract.room.RoomDrawPart.OPENING;
import static dev.orderly.testkit.contract.room.RoomDrawPart.ROOT;
import static dev.orderly.testkit.contract.room.RoomDrawPart.SEED;
import static dev.orderly.testkit.contract.room.RoomTrial.PASS;
import static dev.orderly.testkit.contract.room.RoomTrial.PRESENT;
import static dev.orderly.testkit.contract.room.RoomTrial.SALE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Draw;
import dev.orderly.room.Draw.Lobby;
import dev.orderly.room.DrawLedger;
import dev.orderly.room.Limits;
import dev.orderly.room.RoomState;
import dev.orderly.room.RoomState.TierLine;
import dev.orderly.room.Tiers;
import dev.orderly.room.invitation.InvitationId;
import dev.orderly.room.store.DrawStep;
import dev.orderly.room.store.InvitationUse;
import dev.orderly.room.store.JoinRequest;
import dev.orderly.room.store.JoinResult;
import dev.orderly.room.store.LobbyRecords.NewLeaf;
import dev.orderly.room.store.RoomChange;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The draw of a lobby in a room with tiers: each has tickets of its own. */
public interface RoomTierDrawPart extends RoomPart {
    List<String> NAMES = List.of("members", "press");
    long MEMBERS = Tiers.start(1);
    long PRESS = Tiers.start(2);

    private DrawLedger step(DrawStep step) {
        DrawLedger after = trial().change(new RoomChange.Draw(step)).draws();
        assertThat(trial().state().draws()).isEqualTo(after);
        return after;
    }

    private static String leaf(int number) {
        return HexFormat.of().toHexDigits((byte) number).repeat(32);
    }

    private JoinRequest asking(@Nullable String tier, int number, @Nullable InvitationUse use) {
        return new JoinRequest(trial().visitor(), trial().in(PRESENT), trial().in(PASS),
                number == 0 ? null : leaf(number), tier, use);
    }

    private long join(@Nullable String tier, int number) {
        return trial().rooms().join(SALE, List.of(asking(tier, number, null)), trial().now()).getFirst().place();
    }

    private String leaves(long from) {
        return HexFormat.of().formatHex(trial().rooms().leaves(SALE, from, 9, trial().now()));
    }

    /** One visitor of each line comes before the lobby. */
    private void begin() {
        RoomTierPart.step(trial(), Limits.CLOSED, RoomTierPart.TIERS);
        join(null, 0);
        join("members", 0);
        step(new DrawStep.Commit(OPENING, BEACON, SEED, true));
    }

    @Test
    default void theLobbyOfADrawHasALineOfEachTier() {
        begin();
        assertThat(join("members", 1)).isEqualTo(MEMBERS + 2);
        assertThat(join(null, 2)).isEqualTo(2);
        assertThat(join("members", 3)).isEqualTo(MEMBERS + 3);
        assertThat(join("press", 0)).as("from a gate that does not know of the lobby").isEqualTo(PRESS + 1);
        assertThat(trial().state().draws().bases()).containsExactly(1L, MEMBERS + 1, PRESS);
        DrawLedger closed = step(new DrawStep.Close(OPENING));
        assertThat(join("press", 9)).isEqualTo(PRESS + 2);
        assertThat(join("members", 9)).isEqualTo(MEMBERS + 4);
        trial().crash();
        assertThat(trial().state().draws()).isEqualTo(closed);
        assertThat(closed.isInLobby(MEMBERS + 1)).as("before the lobby").isFalse();
        assertThat(List.of(2L, MEMBERS + 2, MEMBERS + 3, PRESS + 1)).allMatch(closed::isInLobby);
        assertThat(List.of(3L, MEMBERS + 4, PRESS + 2)).noneMatch(trial().state().draws()::isInLobby);
        assertThat(leaves(MEMBERS + 2)).startsWith(leaf(1) + leaf(3));
        assertThat(leaves(2)).isEqualTo(leaf(2));
        assertThat(leaves(PRESS + 1)).startsWith(JoinRequest.NO_LEAF);
    }

    @Test
    default void theTicketsOfTiersArePublishedWithTheRoot() {
        begin();
        join("members", 1);
        join(null, 2);
        join("members", 3);
        DrawLedger closed = step(new DrawStep.Close(OPENING));
        assertThat(closed.lobby(NAMES)).containsExactly(new Lobby("", 1, 1), new Lobby("members", MEMBERS + 1, 2),
                new Lobby("press", PRESS, 0));
        assertThat(step(new DrawStep.Root(OPENING, 3, ROOT, List.of()))).as("without the names").isEqualTo(closed);
        assertThat(step(new DrawStep.Root(OPENING, 4, ROOT, NAMES))).as("of another number").isEqualTo(closed);
        step(new DrawStep.Root(OPENING, 3, ROOT, NAMES));
        step(new DrawStep.Value(OPENING, "17"));
        Draw drawn = step(new DrawStep.Reveal(OPENING)).of(OPENING).orElseThrow();
        assertThat(drawn.lobby()).isEqualTo(closed.lobby(NAMES));
        assertThat(drawn.rules()).isEqualTo(Draw.RULES_OF_TIERS);
        assertThat(drawn.commitment())
                .isEqualTo(Draw.commitment(SALE, OPENING, Draw.RULES_OF_TIERS, BEACON, SEED));
        trial().crash();
        assertThat(trial().state().draws().of(OPENING)).hasValue(drawn);
    }

    @Test
    default void afterADrawNobodyOfATierIsCalledBeforeTheGatesReportAnew() {
        begin();
        long member = join("members", 1);
        step(new DrawStep.Close(OPENING));
        step(new DrawStep.Root(OPENING, 1, ROOT, NAMES));
        step(new DrawStep.Value(OPENING, "17"));
        step(new DrawStep.Reveal(OPENING));
        RoomState late = RoomTierPart.step(trial(), Limits.NONE, RoomTierPart.TIERS);
        assertThat(late.tiers()).extracting(TierLine::line).extracting(RoomState.Line::cursor)
                .as("the gate knows no draw").containsExactly(MEMBERS, PRESS);
        assertThat(late.lineOf(member).length()).isEqualTo(member);
        RoomState anew = RoomTierPart.step(trial(), Limits.NONE, RoomTierPart.TIERS, 1);
        assertThat(anew.tiers().getFirst().line().cursor()).as("the gate knows the draw").isEqualTo(member);
    }

    @Test
    default void aLeafOfATierIsReplacedInItsLobbyOnly() {
        begin();
        long member = join("members", 1);
        assertThat(trial().rooms().replaceLeaves(SALE, List.of(new NewLeaf(1, member, leaf(8)),
                new NewLeaf(1, member - 1, leaf(9)), new NewLeaf(1, member + 1, leaf(9)),
                new NewLeaf(1, Tiers.start(3) + 1, leaf(9))), trial().now()))
                .containsExactly(true, false, false, false);
        assertThat(leaves(member)).isEqualTo(leaf(8));
        step(new DrawStep.Close(OPENING));
        step(new DrawStep.Root(OPENING, 1, ROOT, NAMES));
        step(new DrawStep.Value(OPENING, "17"));
        step(new DrawStep.Reveal(OPENING));
        step(new DrawStep.Commit(OPENING.plusSeconds(1), null, SEED, true));
        assertThat(trial().rooms().replaceLeaves(SALE, List.of(new NewLeaf(1, member, leaf(9))), trial().now()))
                .as("the ticket of a draw that is made").containsExactly(false);
        assertThat(leaves(member)).isEqualTo(leaf(8));
    }

    @Test
    default void anInvitationInALobbyGivesATicketOfItsTierAndEndsTheFormer() {
        begin();
        JoinRequest first = asking(null, 1, null);
        long number = trial().rooms().join(SALE, List.of(first), trial().now()).getFirst().place();
        InvitationUse.Former former = new InvitationUse.Former(first.visitor(), number, trial().in(PASS));
        assertThat(redeem(new InvitationUse.Former(first.visitor(), number))).as("by a gate that knows of no lobby")
                .isEqualTo(new JoinResult.Uninvited(1, null));
        JoinResult invited = redeem(former);
        assertThat(invited).isInstanceOf(JoinResult.Placed.class).extracting(JoinResult::place).isEqualTo(PRESS + 1);
        assertThat(leaves(PRESS + 1)).isEqualTo(leaf(2));
        assertThat(trial().state().voided()).as("what gates learn").containsKey(first.visitor());
        assertThat(trial().rooms().use(SALE, number, trial().now()).usedUp()).as("the place of whoever draws it")
                .isFalse();
    }

    @Test
    default void aTicketOfALobbyThatIsGivenBackAsAPlaceTakesNobodysPlace() {
        begin();
        join(null, 1);
        for (String tier : new String[]{null, "members"}) {
            JoinRequest first = asking(tier, 0, null);
            JoinResult number = trial().rooms().join(SALE, List.of(first), trial().now()).getFirst();
            trial().depart(new TicketHolder(first.visitor(), number));
            assertThat(trial().state().voided()).as("what gates learn").containsKey(first.visitor());
            assertThat(trial().rooms().use(SALE, number.place(), trial().now()).usedUp())
                    .as("the place of whoever draws it").isFalse();
        }
    }

    @Test
    default void anInvitationEndsNoTicketOfALobbyThatWasDrawnMeanwhile() {
        begin();
        JoinRequest first = asking(null, 1, null);
        long number = trial().rooms().join(SALE, List.of(first), trial().now()).getFirst().place();
        InvitationUse.Former former = new InvitationUse.Former(first.visitor(), number, trial().in(PASS));
        step(new DrawStep.Close(OPENING));
        assertThat(redeem(new InvitationUse.Former(first.visitor(), number))).isEqualTo(
                new JoinResult.Uninvited(1, null));
        step(new DrawStep.Drop(OPENING));
        assertThat(redeem(former)).isEqualTo(new JoinResult.Uninvited(1, null));
        assertThat(trial().state().voided()).doesNotContainKey(first.visitor());
        assertThat(redeem(new InvitationUse.Former(first.visitor(), number))).as("its place by now").extracting(
                JoinResult::place).isEqualTo(PRESS + 1);
    }

    private JoinResult redeem(InvitationUse.Former former) {
        return trial().rooms().join(SALE, List.of(asking("press", 2, new InvitationUse(new InvitationId(7, 1), 1,
                trial().in(PASS), former))), trial().now()).getFirst();
    }

    @Test
    default void aDrawIsCommittedToAnewWithTiersAsLongAsNobodyCame() {
        step(new DrawStep.Commit(OPENING, null, SEED));
        DrawLedger anew = step(new DrawStep.Commit(OPENING, null, SEED, true));
        assertThat(anew.draws()).singleElement().extracting(Draw::rules).isEqualTo(Draw.RULES_OF_TIERS);
        assertThat(step(new DrawStep.Commit(OPENING, null, "00".repeat(32), true))).isEqualTo(anew);
        assertThat(anew.open()).isTrue();
    }

    @Test
    default void aLobbyThatHasBegunKeepsItsCommitmentAndItsOneLine() {
        trial().open(Limits.CLOSED);
        step(new DrawStep.Commit(OPENING, null, SEED));
        join(null, 1);
        DrawLedger begun = trial().state().draws();
        assertThat(step(new DrawStep.Commit(OPENING, null, SEED, true))).isEqualTo(begun);
        RoomTierPart.step(trial(), Limits.CLOSED, RoomTierPart.TIERS);
        assertThat(join("members", 2)).isEqualTo(2);
    }
}
