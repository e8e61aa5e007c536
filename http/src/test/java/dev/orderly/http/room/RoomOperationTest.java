package dev.orderly.http.room;

import static dev.orderly.web.browser.Guest.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.RoomMode;
import dev.orderly.room.store.RoomChange;
import dev.orderly.text.LocalizedText;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.room.RoomMatch;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The answers to visitors after a change by an operator, or during an outage of the store. */
class RoomOperationTest extends EdgeRoomTest {
    @Test
    void aHeldRoomKeepsVisitorsInLineAndNamesTheReason() {
        node.rooms.change(RoomNode.SALE, new RoomChange.Mode(RoomMode.HOLD));
        node.rooms.change(RoomNode.SALE, RoomChange.Message.of("Back at <noon>"));
        node.pass(1);
        Guest waiting = guest();

        HttpResponse<String> page = waiting.page("/tickets/", "en");

        assertThat(page.statusCode()).isEqualTo(503);
        assertThat(page.body()).contains("Back at &lt;noon&gt;").doesNotContain("<noon>");
        assertThat(json(waiting.get("/tickets/")).path("state").asString()).isEqualTo("held");
        assertThat(json(waiting.get("/tickets/")).path("message").asString()).isEqualTo("Back at <noon>");
    }

    @Test
    void eachVisitorReadsTheMessageInTheOwnLanguage() {
        node.rooms.change(RoomNode.SALE, new RoomChange.Mode(RoomMode.HOLD));
        node.rooms.change(RoomNode.SALE, new RoomChange.Message(LocalizedText.of(Map.of("default", "Back at 9", "fi",
                "Klo 9", "ar", "نعود في التاسعة"))));
        node.pass(1);

        assertThat(guest().page("/tickets/", "fi-FI, en;q=0.5").body()).as("a language that the page does not speak")
                .contains("<p id=\"message\" dir=\"auto\" lang=\"fi\">Klo 9</p>", "<html lang=\"en\"");
        assertThat(guest().page("/tickets/", "ar").body())
                .contains("<p id=\"message\" dir=\"auto\" lang=\"ar\">نعود في التاسعة</p>");
        assertThat(guest().page("/tickets/", "de").body()).as("no known language")
                .contains("<p id=\"message\" dir=\"auto\" lang=\"de\">Back at 9</p>");
        JsonNode document = json(inFinnish("/tickets/"));
        assertThat(document.path("message").asString()).isEqualTo("Klo 9");
        assertThat(document.path("messageLanguage").asString()).isEqualTo("fi");
        JsonNode cursor = json(inFinnish("/.orderly/rooms/sale/cursor"));
        assertThat(cursor.path("message").asString()).as("one answer for all, cacheable").isEqualTo("Back at 9");
        assertThat(cursor.path("messages").path("fi").asString()).isEqualTo("Klo 9");
    }

    private HttpResponse<String> inFinnish(String path) {
        return guest().send(node.at(path).header("Accept", "application/json").header("Accept-Language", "fi").GET());
    }

    @Test
    void aCalledVisitorLearnsThatTheRoomIsHeld() {
        inside();
        Guest waiting = guest();
        waiting.get("/tickets/");
        node.pass(2);
        assertThat(json(waiting.get("/tickets/")).path("state").asString()).isIn("door", "waiting");

        node.rooms.change(RoomNode.SALE, new RoomChange.Mode(RoomMode.HOLD));
        node.pass(1);

        assertThat(json(waiting.get("/tickets/")).path("state").asString()).isEqualTo("held");
        assertThat(waiting.page("/tickets/", "en").body()).contains("data-state=\"held\"");
    }

    @Test
    void anOpenRoomLetsAllPassAndAClosedRoomTurnsAway() {
        inside();
        node.rooms.change(RoomNode.SALE, new RoomChange.Mode(RoomMode.OPEN));
        node.pass(1);
        assertThat(guest().get("/tickets/").statusCode()).isEqualTo(200);

        node.rooms.change(RoomNode.SALE, new RoomChange.Mode(RoomMode.REJECT));
        node.pass(1);
        HttpResponse<String> away = guest().get("/tickets/");
        assertThat(away.statusCode()).isEqualTo(503);
        assertThat(json(away).path("type").asString()).isEqualTo("urn:orderly:problem:room-closed");
        assertThat(away.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(guest().page("/tickets/", "de").body()).contains("lang=\"de\"");
    }

    @Test
    void aNewEpochVoidsEveryTicketAndPass() {
        Guest first = inside();
        Guest waiting = guest();
        waiting.get("/tickets/");
        waiting.get("/tickets/");

        node.rooms.change(RoomNode.SALE, new RoomChange.NewEpoch());
        node.pass(1);

        assertThat(json(waiting.call("POST", "ticket")).path("epoch").asInt()).isEqualTo(2);
        assertThat(first.get("/tickets/").statusCode()).isEqualTo(503);
    }

    @Test
    void passesAndPlacesOutlastAnOutageWithoutNewPlaces() {
        Guest first = inside();
        Guest waiting = guest();
        int place = json(waiting.get("/tickets/")).path("place").asInt();
        node.store.failRandomly(1, 1);
        node.pass(200);

        assertThat(first.get("/tickets/").statusCode()).isEqualTo(200);
        assertThat(json(waiting.get("/tickets/")).path("place").asInt()).isEqualTo(place);
        assertThat(json(waiting.get("/tickets/")).path("cause").asString()).isEqualTo("store-paused");
        assertThat(guest().get("/tickets/").statusCode()).isEqualTo(503);
        assertThat(guest().page("/tickets/", "en").headers().firstValue("Set-Cookie")).isEmpty();
        node.pass(60); // a pass stays good to its end, which is 300 s after the last renewal
        assertThat(first.get("/tickets/").statusCode()).isEqualTo(200);

        node.store.heal();
        node.pass(1);
        assertThat(first.get("/tickets/").statusCode()).isEqualTo(200);
        assertThat(json(waiting.get("/tickets/")).path("place").asInt()).isEqualTo(place);
    }

    @Test
    void cookiesAreGuardedForVisitorsOfOtherMachines() {
        node.close();
        node = new RoomNode(RoomNode.ONE_INSIDE, RoomMatch.of("/tickets/**"), TrustedProxies.of("127.0.0.1"));

        HttpResponse<String> answer = node.send(node.at("/tickets/").header("X-Forwarded-Proto", "https")
                .header("X-Forwarded-For", "203.0.113.9").GET());

        assertThat(answer.headers().allValues("Set-Cookie")).isNotEmpty().allSatisfy(cookie -> assertThat(cookie)
                .startsWith("__Host-orderly_").contains("; Secure", "; HttpOnly", "; SameSite=Lax", "; Path=/",
                        "; Max-Age="));
    }
}
