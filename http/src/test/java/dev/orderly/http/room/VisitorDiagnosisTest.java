package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomMode;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.room.VisitorId;
import dev.orderly.room.crowd.Newcomer;
import dev.orderly.room.gate.LinePosition;
import dev.orderly.room.gate.RoomListener;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import dev.orderly.room.gate.VisitorDiagnosis;
import dev.orderly.room.gate.VisitorDiagnosis.Cause;
import dev.orderly.room.gate.VisitorQuery;
import dev.orderly.room.store.RoomChange;
import dev.orderly.testkit.ManualTime;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.room.RoomMatch;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each cause that keeps a visitor from entering is provoked and found. */
class VisitorDiagnosisTest {
    private static final Set<Cause> FOUND = EnumSet.noneOf(Cause.class);

    private RoomNode node = new RoomNode(RoomNode.ONE_INSIDE);

    @AfterEach
    void close() {
        node.close();
    }

    @AfterAll
    static void everyCauseWasProvoked() {
        // the others need a signal or a moment that only a room's state can have: see the test of VisitorDiagnosis
        // itself
        assertThat(FOUND).isEqualTo(
                EnumSet.complementOf(EnumSet.of(Cause.RESTART, Cause.HEALTH, Cause.BACKLOG, Cause.PLACE)));
    }

    private void restart(RoomOptions options) {
        node.close();
        node = new RoomNode(options, RoomMatch.of("/tickets/**"), TrustedProxies.NONE);
    }

    /** The ticket of a visitor who waits. */
    private static String ticket(Guest guest) {
        assertThat(guest.get("/tickets/").statusCode()).isEqualTo(503);
        return guest.cookies.values().iterator().next();
    }

    private String waiting() {
        Guest.inside(node);
        String ticket = ticket(new Guest(node));
        node.pass(1);
        return ticket;
    }

    private VisitorDiagnosis find(String ticket, Cause cause) {
        return find(new VisitorQuery.ByTicket(ticket), cause);
    }

    private VisitorDiagnosis find(VisitorQuery query, Cause cause) {
        VisitorDiagnosis found = node.rooms.diagnose(RoomNode.SALE, query);
        assertThat(found.cause()).as(found.sentence()).isEqualTo(cause);
        assertThat(found.sentence()).endsWith(".");
        FOUND.add(cause);
        return found;
    }

    private void change(RoomChange change) {
        node.rooms.change(RoomNode.SALE, change);
        node.pass(1);
    }

    @Test
    void aTextThatIsNoTicketOfTheRoom() {
        String ticket = waiting();
        find("x", Cause.FORGED);
        find(ticket.substring(0, ticket.length() - 2) + "xx", Cause.FORGED);
        assertThat(find("y".repeat(10_000), Cause.FORGED).place()).isNull();
    }

    @Test
    void aTicketThatIsOldRevokedOrOfAnEndedLine() {
        String ticket = waiting();
        node.time.advance(Duration.ofHours(25));
        assertThat(find(ticket, Cause.EXPIRED).sentence()).contains("expired at");
        restart(RoomNode.ONE_INSIDE);
        Guest guest = new Guest(node);
        Guest.inside(node);
        String given = ticket(guest);
        guest.call("DELETE", "ticket");
        find(given, Cause.REVOKED);
        String other = ticket(new Guest(node));
        change(new RoomChange.NewEpoch());
        assertThat(find(other, Cause.OLD_EPOCH).sentence()).contains("line 1").contains("number 2");
    }

    @Test
    void aPlaceInTheLobby() {
        ZonedDateTime opens = new ManualTime().now().plusSeconds(600).atZone(ZoneOffset.UTC);
        restart(RoomNode.ONE_INSIDE.withOpenings(new Openings(List.of(new Opening(opens, Duration.ofHours(1), null,
                null)), false)));
        String ticket = ticket(new Guest(node));
        node.pass(1);
        find(ticket, Cause.OPENING);
    }

    @Test
    void aPlaceThatTheDevicesOfAUserShare() {
        restart(RoomNode.ONE_INSIDE.withOnePerUser(true));
        join("ben", null);
        String first = join("ann", null);
        String second = join("ann", null);
        String shares = " The device shares the place of its user, which another device took.";
        assertThat(find(first, Cause.CAPACITY).sentence()).startsWith("Place 2 has 0 visitors ahead")
                .doesNotContain(shares);
        assertThat(find(second, Cause.CAPACITY).sentence()).startsWith("Place 2 has 0 visitors ahead").endsWith(shares);
        node.room().visits().leave(new ShownTokens(List.of(first), List.of())).toCompletableFuture().join();
        assertThat(find(second, Cause.REVOKED).sentence()).endsWith(shares);
    }

    @Test
    void aPlaceThatWasDrawnInATier() {
        ZonedDateTime opens = new ManualTime().now().plusSeconds(600).atZone(ZoneOffset.UTC);
        restart(RoomNode.ONE_INSIDE.withTiers(new Tiers(List.of(new Tier("members", "tier=gold", 20))))
                .withOpenings(new Openings(List.of(new Opening(opens, Duration.ofHours(1), null, null).drawn(null)),
                        false)));
        node.pass(2);
        List<String> members = List.of(join("ann", "members"), join("ben", "members"), join("carl", "members"));
        String other = join("dora", null);
        assertThat(find(other, Cause.OPENING).sentence()).doesNotContain("drawn");
        node.pass(700);
        assertThat(members).extracting(ticket -> find(ticket, Cause.NOT_PRESENT).sentence().replaceFirst(" has .*", ""))
                .containsExactlyInAnyOrder("Place members 1, drawn as number 1 of 3 in tier members,",
                        "Place members 2, drawn as number 2 of 3 in tier members,",
                        "Place members 3, drawn as number 3 of 3 in tier members,");
        assertThat(find(other, Cause.NOT_PRESENT).sentence()).startsWith("Place 1, drawn as number 1 of 1, has 0");
    }

    /** The ticket, or for a visitor who enters at once the pass, of a new device of a user. */
    private String join(String user, @Nullable String tier) {
        Visit visit = node.room().visits().arrive(ShownTokens.NONE, new Newcomer() {
            @Override
            public String address() {
                return "198.51.100.1";
            }

            @Override
            public Supplier<Optional<String>> tier(Tiers tiers) {
                return () -> Optional.ofNullable(tier);
            }

            @Override
            public Supplier<Optional<String>> signIn() {
                return () -> Optional.of(user);
            }
        }, true).stage().toCompletableFuture().join();
        String token = visit instanceof Visit.Waiting waits ? waits.token() : ((Visit.Admitted) visit).token();
        node.pass(1);
        return String.valueOf(token);
    }

    @Test
    void aPlaceThatWasMoved() {
        restart(RoomNode.ONE_INSIDE.withMove(true));
        Guest guest = new Guest(node);
        Guest.inside(node);
        String former = ticket(guest);
        String secret = node.room().visits().link(new ShownTokens(List.of(former), List.of())).orElseThrow();
        node.room().visits().takeOver(secret, node.room().visits().newDevice(), () -> "").stage().toCompletableFuture()
                .join();
        assertThat(find(former, Cause.MOVED).sentence()).contains("another device");
        node.pass(60);
        find(former, Cause.MOVED);
    }

    private VisitorDiagnosis find(VisitorId visitor, Cause cause) {
        return find(new VisitorQuery.ById(visitor), cause);
    }

    private VisitorId id(Guest guest) {
        return node.room().visits().visitor(new ShownTokens(List.copyOf(guest.cookies.values()), List.of()))
                .orElseThrow();
    }

    @Test
    void aVisitorIsFoundByTheIdAloneAsFarAsItIsKept() {
        restart(RoomNode.ONE_INSIDE.withMove(true));
        Guest first = new Guest(node);
        first.get("/tickets/");
        VisitorId inside = id(first);
        assertThat(find(inside, Cause.INSIDE).sentence()).contains("place 1", "has not shown the pass");
        first.get("/tickets/");
        assertThat(find(inside, Cause.INSIDE).history().stored().pass()).isNotNull();

        Guest guest = new Guest(node);
        String ticket = ticket(guest);
        VisitorId waiting = id(guest);
        assertThat(find(waiting, Cause.UNKNOWN).remedy()).contains("the ticket");
        ShownTokens shown = new ShownTokens(List.of(ticket), List.of());
        assertThat(node.room().visits().listen(shown, new Silent())).isTrue();
        node.pass(1);
        VisitorDiagnosis connected = find(waiting, Cause.CAPACITY);
        assertThat(connected.place()).isEqualTo(2);
        assertThat(connected.history().joined()).isNotNull();

        String secret = node.room().visits().link(shown).orElseThrow();
        node.room().visits().takeOver(secret, node.room().visits().newDevice(), () -> "").stage().toCompletableFuture()
                .join();
        VisitorDiagnosis moved = find(waiting, Cause.MOVED);
        assertThat(moved.sentence()).contains(String.valueOf(moved.history().stored().movedTo()));
        node.rooms.revoke(RoomNode.SALE, inside);
        assertThat(find(inside, Cause.REVOKED).history().stored().voidUntil()).isNotNull();
    }

    @Test
    void aVisitorIsFoundByTheNumberThatThePageShows() {
        Guest first = new Guest(node);
        first.get("/tickets/");
        VisitorId inside = id(first);
        assertThat(find(new VisitorQuery.ByPlace(1), Cause.INSIDE).history().visitor()).isEqualTo(inside);
        ticket(new Guest(node));
        node.pass(1);
        assertThat(find(new VisitorQuery.ByPlace(2), Cause.CAPACITY).presence().until()).isNotNull();
        assertThat(find(new VisitorQuery.ByPlace(3), Cause.NOT_ISSUED).sentence()).contains("up to 2");
        first.get("/tickets/");
        first.call("DELETE", "ticket");
        node.pass(1);
        find(new VisitorQuery.ByPlace(1), Cause.USED);
    }

    /** A listener that does nothing. */
    private static final class Silent implements RoomListener {
        @Override
        public void update(LinePosition position) {}

        @Override
        public void turn() {}

        @Override
        public void ended() {}
    }

    @Test
    void theModeOfTheRoom() {
        String ticket = waiting();
        change(new RoomChange.Mode(RoomMode.HOLD));
        assertThat(find(ticket, Cause.HELD).remedy()).contains("orderly room auto sale");
        change(new RoomChange.Mode(RoomMode.REJECT));
        find(ticket, Cause.REJECTED);
        change(new RoomChange.Mode(RoomMode.OPEN));
        find(ticket, Cause.OPEN);
    }

    @Test
    void aFullRoomThenNothing() {
        String ticket = waiting();
        VisitorDiagnosis full = find(ticket, Cause.CAPACITY);
        assertThat(full.sentence()).contains("1 of 1 are inside").contains("Place 2");
        assertThat(full.presence().until()).isNotNull();
        change(new RoomChange.Settings(new Limits(5, null)));
        find(ticket, Cause.READY);
    }

    @Test
    void aRateThatIsUsed() {
        restart(RoomOptions.of(new Limits(null, new Rate(1, Duration.ofHours(1)))));
        String ticket = waiting();
        assertThat(find(ticket, Cause.RATE).sentence()).contains("1 per 3600s");
    }

    @Test
    void aVisitorWhoIsAway() {
        String ticket = waiting();
        node.pass(600);
        assertThat(find(ticket, Cause.NOT_PRESENT).remedy()).contains("open the page again");
    }

    @Test
    void aStoreOutOfReach() {
        String ticket = waiting();
        node.store.failRandomly(1, 1);
        node.pass(3);
        find(ticket, Cause.STORE);
        node.store.heal();
    }
}
