package dev.orderly.http.room;

import static dev.orderly.web.browser.Guest.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orderly.room.Draw;
import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.Rate;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.Tiers;
import dev.orderly.room.Tiers.Tier;
import dev.orderly.room.VisitorId;
import dev.orderly.room.draw.DrawOrder;
import dev.orderly.room.draw.LobbyTree;
import dev.orderly.room.gate.RoomFront;
import dev.orderly.room.gate.VisitorQuery;
import dev.orderly.room.store.RoomChange;
import dev.orderly.user.UserId;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authenticator;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Lines of tiers, as requests over HTTP stand in them. */
class RoomTiersTest {
    private static final Tiers TIERS = new Tiers(List.of(new Tier("members", "tier=gold", 20),
            new Tier("press", "role=press", 5)));

    /** Knows the claims of a token by its text, {@code claim.value}. */
    private static final Authenticator USERS = new BearerUsers(token -> switch (token) {
        case "broken" -> new Authentication.Rejected("It is broken");
        case "away" -> new Authentication.Unavailable("The keys are out of reach");
        case "wrong" -> throw new IllegalStateException("It cannot be read");
        default -> new Authentication.Known(new UserId("ann"), Instant.MAX, Map.of(
                token.substring(0, token.indexOf('.')), List.of("x", token.substring(token.indexOf('.') + 1))));
    });

    private final RoomNode node = RoomNode.with(
            RoomOptions.of(new Limits(1, new Rate(1, Duration.ofMinutes(1)))).withTiers(TIERS),
            room -> room.withUsers(USERS));

    @AfterEach
    void close() {
        node.close();
    }

    private HttpRequest.Builder request(@Nullable String token) {
        HttpRequest.Builder request = node.at("/tickets/a").header("Accept", "application/json");
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    /** Fills the room. */
    private void fill() {
        assertThat(new Guest(node).send(request(null)).statusCode()).isEqualTo(200);
    }

    private String join(@Nullable String token) {
        return new Guest(node).send(request(token)).body();
    }

    @Test
    void aVerifiedClaimGivesAPlaceInTheLineOfItsTier() {
        fill();
        assertThat(join("tier.gold")).contains("\"place\":1,\"tier\":\"members\"");
        assertThat(join("tier.gold")).contains("\"place\":2,\"tier\":\"members\"");
        assertThat(join("role.press")).contains("\"place\":1,\"tier\":\"press\"");
        assertThat(join("tier.silver")).contains("\"place\":2,\"tier\":null");
    }

    @Test
    void withoutAVerifiedClaimAVisitorHasNoTierAndNoneIsKeptOutOfTheLine() {
        fill();
        assertThat(join(null)).contains("\"place\":2,\"tier\":null");
        assertThat(join("broken")).contains("\"place\":3,\"tier\":null");
        assertThat(join("away")).contains("\"place\":4,\"tier\":null");
        assertThat(join("wrong")).contains("\"place\":5,\"tier\":null");
    }

    @Test
    void eachTierOfALobbyIsDrawnInALineOfItsOwnAndEveryReceiptHolds() {
        ZonedDateTime opens = node.room().now().atZone(ZoneOffset.UTC).plusSeconds(60);
        node.room().change(node.room().options().withOpenings(new Openings(
                List.of(new Opening(opens, Duration.ofSeconds(60), null, null).drawn(null)), false)));
        node.pass(1);
        List<String> tokens = List.of("tier.gold", "tier.silver", "tier.gold", "role.press", "tier.gold", "tier.no");
        List<Guest> guests = tokens.stream().map(_ -> new Guest(node)).toList();
        for (int n = 0; n < tokens.size(); n++) {
            guests.get(n).send(request(tokens.get(n)));
        }
        node.pass(63);
        JsonNode draw = json(new Guest(node).get("/.orderly/rooms/sale/draw"));
        assertThat(draw.path("rules").asString()).isEqualTo(Draw.RULES_OF_TIERS);
        assertThat(draw.path("tiers").valueStream().map(line -> line.path("name").asString() + " "
                + line.path("count").asInt())).containsExactly(" 2", "members 3", "press 1");
        String root = draw.path("root").asString();
        List<Integer> indices = List.of(2, 0, 3, 5, 4, 1);
        List<Integer> first = List.of(2, 0, 2, 5, 2, 0);
        for (int n = 0; n < tokens.size(); n++) {
            JsonNode receipt = json(guests.get(n).get("/.orderly/rooms/sale/receipt"));
            String tier = receipt.path("tier").asString("");
            int index = receipt.path("index").asInt();
            assertThat(index).isEqualTo(indices.get(n));
            DrawOrder order = DrawOrder.of(draw.path("seed").asString(), root, null, first.get(n),
                    tier.isEmpty() ? 2 : tier.equals("press") ? 1 : 3);
            assertThat(receipt.path("place").asInt()).isEqualTo(order.place(index - first.get(n)) + 1);
            String leaf = LobbyTree.leaf(VisitorId.parse(receipt.path("ticket").asString()).orElseThrow(),
                    receipt.path("nonce").asString(), tier);
            assertThat(LobbyTree.root(index, 6, leaf, receipt.path("path").valueStream().map(JsonNode::asString)
                    .toList())).isEqualTo(root);
        }
    }

    @Test
    void thePageNamesTheLineAndTheRule() {
        fill();
        String page = new Guest(node).send(node.at("/tickets/a").header("Accept", "text/html")
                .header("Accept-Language", "en").header("Authorization", "Bearer tier.gold")).body();
        assertThat(page).contains("Ticket no. 1<", "Your line: members.",
                "Of 10 who enter: 2 from “members”.",
                "Of 20 who enter: 1 from “press”.");
        assertThat(new Guest(node).send(node.at("/tickets/a").header("Accept", "text/html")
                .header("Accept-Language", "de")).body()).contains("Von 10 Eingelassenen")
                .doesNotContain("Ihre Schlange");
    }

    @Test
    void theCursorFileHasTheLines() {
        fill();
        join("tier.gold");
        node.pass(1);
        assertThat(node.send(node.at("/.orderly/rooms/sale/cursor")).body())
                .contains("\"tiers\":[{\"name\":\"members\",\"share\":20,\"length\":1,\"cursor\":");
    }

    @Test
    void aPlaceStaysInItsLineWhenTheVisitorSignsOutAndWhenTheTierGoes() {
        fill();
        Guest guest = new Guest(node);
        guest.send(request("tier.gold"));
        node.pass(1);
        assertThat(guest.send(request(null)).body()).contains("\"place\":1,\"tier\":\"members\"");
        node.room().change(node.room().options().withTiers(Tiers.NONE));
        node.pass(2);
        assertThat(guest.send(request(null)).body()).contains("\"place\":1,\"tier\":\"members\"");
        assertThat(join("tier.gold")).as("a newcomer").contains("\"tier\":null");
    }

    @Test
    void aVisitorOfATierEntersByTheShareAndAnOperatorSeesWhoWaits() {
        fill();
        Guest guest = new Guest(node);
        guest.send(request("tier.gold"));
        for (int n = 0; n < 3; n++) {
            node.pass(1);
            guest.send(request(null));
        }
        assertThat(node.rooms.front(RoomNode.SALE, 10).visitors()).extracting(RoomFront.Visitor::tier)
                .containsExactly("members");
        assertThat(node.rooms.diagnose(RoomNode.SALE, new VisitorQuery.ByTier("members", 1)).sentence())
                .contains("Place members 1 has 0 visitors ahead");
        assertThatThrownBy(() -> node.rooms.diagnose(RoomNode.SALE, new VisitorQuery.ByTier("gold", 1)))
                .hasMessageContaining("no line of a tier gold");
        node.room().change(node.room().options().withLimits(new Limits(5, null)));
        node.pass(2);
        assertThat(guest.send(request(null)).statusCode()).isEqualTo(200);
        assertThat(node.room().state().tiers().getFirst().line().cursor()).isEqualTo(Tiers.start(1) + 1);
    }

    @Test
    void aNewEpochBeginsEachLineAnew() {
        fill();
        join("tier.gold");
        node.store.rooms().change(RoomNode.SALE, new RoomChange.NewEpoch(), node.time.now());
        node.pass(1);
        assertThat(join("tier.gold")).contains("\"epoch\":2").contains("\"tier\":\"members\"");
    }
}
