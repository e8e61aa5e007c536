package dev.orderly.http.room;

import static dev.orderly.web.browser.Guest.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Beacon;
import dev.orderly.room.Draw;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.VisitorId;
import dev.orderly.room.draw.DrawOrder;
import dev.orderly.room.draw.LobbyTree;
import dev.orderly.web.browser.Guest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What visitors and checkers see of a draw. */
class RoomDrawTest {
    private static final int UNTIL = 60;
    private static final String NONCE = "0123456789abcdef".repeat(2);

    private final RoomNode node = new RoomNode(RoomNode.ONE_INSIDE);
    private ZonedDateTime opens = Instant.EPOCH.atZone(ZoneId.of("UTC"));

    @BeforeEach
    void open() {
        opens = node.room().now().atZone(ZoneId.of("Europe/Berlin")).plusSeconds(UNTIL);
        node.room().change(node.room().options().withOpenings(new Openings(List.of(new Opening(opens,
                Duration.ofSeconds(UNTIL), null, 3).drawn(new Beacon("a lottery", opens.toInstant()))), false)));
        node.pass(1);
    }

    @AfterEach
    void close() {
        node.close();
    }

    private JsonNode draw() {
        return json(new Guest(node).get("/.orderly/rooms/sale/draw"));
    }

    @Test
    void aDrawIsPublishedStepByStepAndEachReceiptHolds() {
        JsonNode committed = draw();
        assertThat(committed.path("commitment").asString()).hasSize(64);
        assertThat(committed.has("count") || committed.has("root") || committed.has("seed")).isFalse();
        List<Guest> guests = new ArrayList<>();
        for (int n = 0; n < 5; n++) {
            guests.add(new Guest(node));
            guests.getLast().get("/tickets/");
        }
        assertThat(guests.getFirst().get("/.orderly/rooms/sale/receipt").statusCode()).isEqualTo(404);
        HttpResponse<String> nonce = guests.getFirst().send(node.at("/.orderly/rooms/sale/nonce")
                .POST(BodyPublishers.ofString(NONCE)));
        assertThat(nonce.statusCode()).as(nonce.body()).isEqualTo(200);
        node.pass(UNTIL);
        JsonNode closed = draw();
        assertThat(closed.path("count").asInt()).isEqualTo(5);
        assertThat(closed.has("beacon") || closed.has("seed")).isFalse();
        assertThat(json(guests.get(1).get("/.orderly/rooms/sale/receipt")).path("place").isNull()).isTrue();
        assertThat(guests.get(1).page("/tickets/", "en").body()).contains("data-state=\"lobby\"", "being drawn");
        node.rooms.change(RoomNode.SALE, node.room().drawValue(" 17 "));
        node.pass(2);
        JsonNode drawn = draw();
        assertThat(drawn.path("beacon").asString()).isEqualTo("17");
        assertThat(drawn.path("commitment")).isEqualTo(committed.path("commitment"));
        String seed = drawn.path("seed").asString();
        assertThat(Draw.commitment(RoomNode.SALE, opens.toInstant(), new Beacon("a lottery", opens.toInstant()), seed))
                .isEqualTo(drawn.path("commitment").asString());
        DrawOrder order = DrawOrder.of(seed, drawn.path("root").asString(), "17", 5);
        for (int n = 0; n < 5; n++) {
            JsonNode receipt = json(guests.get(n).get("/.orderly/rooms/sale/receipt"));
            assertThat(receipt.path("index").asInt()).isEqualTo(n);
            assertThat(receipt.path("place").asInt()).isEqualTo(order.place(n) + 1);
            assertThat(receipt.path("nonceBy").asString()).isEqualTo(n == 0 ? "browser" : "server");
            String leaf = LobbyTree.leaf(VisitorId.parse(receipt.path("ticket").asString()).orElseThrow(),
                    n == 0 ? NONCE : receipt.path("nonce").asString());
            assertThat(LobbyTree.root(n, 5, leaf, receipt.path("path").valueStream().map(JsonNode::asString).toList()))
                    .isEqualTo(drawn.path("root").asString());
        }
    }

    @Test
    void thePageOfALobbyNamesTheDrawItsProofAndTheCrowd() {
        List<Guest> guests = new ArrayList<>();
        for (int n = 0; n < 4; n++) {
            guests.add(new Guest(node));
            guests.getLast().get("/tickets/");
        }
        node.pass(1);
        String page = guests.getLast().page("/tickets/", "en").body();
        assertThat(page).contains("The places are drawn by lot", draw().path("commitment").asString(),
                "4 people wait for about 3 places.", "/.orderly/rooms/sale/draw").doesNotContain("First come, first");
        assertThat(page).as("the browser sends its nonce").contains("getRandomValues");
        guests.getLast().send(node.at("/.orderly/rooms/sale/nonce").POST(BodyPublishers.ofString(NONCE)));
        assertThat(guests.getLast().page("/tickets/", "en").body()).doesNotContain("getRandomValues");
    }

    @Test
    void aNonceThatIsNoneAndARequestWithoutATicketAreRefused() {
        Guest guest = new Guest(node);
        guest.get("/tickets/");
        for (String text : List.of("", "xyz", NONCE + "0", NONCE.toUpperCase(java.util.Locale.ROOT))) {
            assertThat(guest.send(node.at("/.orderly/rooms/sale/nonce").POST(BodyPublishers.ofString(text)))
                    .statusCode()).isEqualTo(422);
        }
        assertThat(new Guest(node).send(node.at("/.orderly/rooms/sale/nonce").POST(BodyPublishers.ofString(NONCE)))
                .statusCode()).isEqualTo(404);
    }
}
