package dev.orderly.http.room;

import static dev.orderly.web.browser.Guest.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.RoomOptions;
import dev.orderly.testkit.FaultyStore.Call;
import dev.orderly.testkit.FaultyStore.Fault;
import dev.orderly.testkit.ManualTime;
import dev.orderly.web.browser.Guest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the edge answers before, in and after an opening of a room. */
class RoomOpeningTest {
    private static final int UNTIL = 400;
    private static final int LOBBY = 120;

    private final ZonedDateTime opens = new ManualTime().now().atZone(ZoneId.of("Europe/Berlin")).plusSeconds(UNTIL);
    private final RoomNode node = new RoomNode(RoomOptions.of(new Limits(1, null)).withOpenings(new Openings(
            List.of(new Opening(opens, Duration.ofSeconds(LOBBY), opens.plusSeconds(30), 1)), false)));

    @AfterEach
    void close() {
        node.close();
    }

    private static long retryAfter(HttpResponse<String> answer) {
        return answer.headers().firstValueAsLong("Retry-After").orElseThrow();
    }

    private JsonNode cursor() {
        return json(new Guest(node).get("/.orderly/rooms/sale/cursor")).path("opening");
    }

    @Test
    void beforeTheLobbyNobodyGetsATicketAndIsToldWhenToComeBack() {
        Guest guest = new Guest(node);
        HttpResponse<String> program = guest.get("/tickets/");
        assertThat(program.statusCode()).isEqualTo(503);
        assertThat(program.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(program.headers().firstValue("Orderly-State")).hasValue("closed");
        assertThat(json(program).path("detail").asString()).contains(Opening.text(opens),
                Opening.text(opens.minusSeconds(LOBBY)));
        assertThat(retryAfter(program)).isEqualTo((UNTIL - LOBBY) / 2);
        HttpResponse<String> page = guest.page("/tickets/", "de");
        assertThat(page.body()).contains("data-state=\"opens\"", "Noch nicht geöffnet", "data-in=\"" + UNTIL + "\"",
                "Plätze in der Schlange gibt es ab");
        HttpResponse<String> ticket = guest.call("POST", "ticket");
        assertThat(ticket.statusCode()).isEqualTo(409);
        assertThat(json(ticket).path("state").asString()).isEqualTo("closed");
        assertThat(retryAfter(ticket)).isEqualTo((UNTIL - LOBBY) / 2);
        assertThat(json(ticket).path("opening").path("phase").asString()).isEqualTo("between");
        assertThat(json(ticket).path("opening").path("in").asLong()).isEqualTo(UNTIL);
        assertThat(node.room().state().line().length()).isZero();
    }

    @Test
    void theLastReturnBeforeTheLobbyIsSpreadBehindItsBeginning() {
        node.pass(UNTIL - LOBBY - 10);
        assertThat(retryAfter(new Guest(node).get("/tickets/"))).isBetween(10L, 40L);
    }

    @Test
    void inTheLobbyAVisitorHasATicketAPageAndACountdownAndEntersAtTheOpening() {
        node.pass(UNTIL - LOBBY);
        Guest first = new Guest(node);
        Guest second = new Guest(node);
        first.get("/tickets/");
        HttpResponse<String> joined = second.get("/tickets/");
        assertThat(joined.headers().firstValue("Set-Cookie")).isPresent();
        assertThat(json(joined).path("state").asString()).isEqualTo("lobby");
        assertThat(json(joined).path("cause").asString()).isEqualTo("opening");
        assertThat(json(joined).path("low").isNull()).isTrue();
        assertThat(retryAfter(joined)).as("who never asks is soon known to be absent").isLessThanOrEqualTo(3);
        assertThat(retryAfter(second.get("/tickets/"))).isEqualTo(LOBBY / 2);
        node.pass(1);
        HttpResponse<String> page = second.page("/tickets/", "en");
        assertThat(page.body()).contains("data-state=\"lobby\"", "Not open yet",
                "<meta http-equiv=\"refresh\" content=\""
                        + LOBBY / 2 + "\">",
                ">00:01:59<", "2 people wait for about 1 places.",
                "No more than 1 visitor is inside at a time.");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow()).contains("script-src");
        node.pass(LOBBY - 2);
        assertThat(json(first.get("/tickets/")).path("state").asString()).isEqualTo("lobby");
        assertThat(json(first.call("POST", "pass")).path("state").asString()).isEqualTo("lobby");
        assertThat(retryAfter(first.get("/tickets/"))).isLessThanOrEqualTo(3);
        node.pass(1);
        assertThat(first.get("/tickets/").statusCode()).isEqualTo(200);
        assertThat(json(second.get("/tickets/")).path("opening").path("phase").asString()).isEqualTo("selling");
    }

    @Test
    void theCursorFileTellsTheOpeningToAllVisitors() {
        assertThat(cursor().path("phase").asString()).isEqualTo("between");
        assertThat(cursor().path("opens").asString()).isEqualTo(opens.toInstant().toString());
        assertThat(cursor().path("zone").asString()).isEqualTo("Europe/Berlin");
        assertThat(cursor().path("lobby").asString()).isEqualTo(opens.minusSeconds(LOBBY).toInstant().toString());
        assertThat(cursor().path("closes").asString()).isEqualTo(opens.plusSeconds(30).toInstant().toString());
        assertThat(cursor().path("stock").asInt()).isOne();
        node.pass(UNTIL + 30);
        assertThat(cursor().path("phase").asString()).isEqualTo("closed");
        assertThat(cursor().has("opens")).isFalse();
    }

    @Test
    void aCacheAsksForTheCursorFileAgainAndGetsThePhaseOfTheMomentAlsoInAnOutage() {
        Guest guest = new Guest(node);
        String tag = guest.call("GET", "cursor").headers().firstValue("ETag").orElseThrow();
        for (Call call : List.of(Call.ROOM_SYNC, Call.ROOM_GOVERN)) {
            node.store.failNext(call, Fault.BEFORE, 10_000);
        }
        node.pass(UNTIL);
        HttpResponse<String> again = guest.send(node.at("/.orderly/rooms/sale/cursor").header("If-None-Match", tag)
                .GET());
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(json(again).path("opening").path("phase").asString()).isEqualTo("selling");
    }

    @Test
    void aMovedOpeningIsToldBesideTheOldTimeAndACancelledOneToo() {
        node.pass(UNTIL - LOBBY);
        Guest guest = new Guest(node);
        guest.get("/tickets/");
        node.rooms.change(RoomNode.SALE, node.room().movedOpening(opens.plusSeconds(20), null));
        node.pass(1);
        JsonNode moved = json(guest.get("/tickets/")).path("opening");
        assertThat(moved.path("instead").asString()).isEqualTo(opens.toInstant().toString());
        assertThat(moved.path("opens").asString()).isEqualTo(opens.plusSeconds(20).toInstant().toString());
        assertThat(guest.page("/tickets/", "en").body()).contains("Announced before: " + opens.toLocalDate());
        node.rooms.change(RoomNode.SALE, node.room().cancelledOpening());
        node.pass(1);
        assertThat(guest.page("/tickets/", "en").body()).contains("data-state=\"closed\"", "was cancelled");
        assertThat(guest.get("/tickets/").headers().firstValue("Orderly-State")).hasValue("closed");
    }

    @Test
    void afterTheEndThePageSaysThatItIsClosed() {
        node.pass(UNTIL + 30);
        assertThat(new Guest(node).page("/tickets/", "en").body()).contains("data-state=\"closed\"");
    }

    @Test
    void aRoomWithoutOpeningsSaysNothingOfThem() {
        try (RoomNode plain = new RoomNode(RoomNode.ONE_INSIDE)) {
            Guest first = new Guest(plain);
            first.get("/tickets/");
            Guest guest = new Guest(plain);
            assertThat(json(guest.get("/tickets/")).has("opening")).isFalse();
            assertThat(json(guest.get("/.orderly/rooms/sale/cursor")).has("opening")).isFalse();
        }
    }
}
