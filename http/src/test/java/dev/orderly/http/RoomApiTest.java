package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.RoomMode;
import dev.orderly.room.VisitorId;
import dev.orderly.room.gate.ShownTokens;
import dev.orderly.room.gate.Visit;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Rooms over the API. {@link Node#send} checks every answer against the OpenAPI document. */
class RoomApiTest {
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aRoomShowsItsState() {
        node.rooms.find(Node.SALE).orElseThrow().visits().arrive(ShownTokens.NONE, () -> "192.0.2.1", true);
        JsonNode all = node.get("/rooms").json();
        assertThat(all.path("rooms").size()).isEqualTo(1);

        JsonNode room = node.get("/rooms/sale").json();
        assertThat(room.path("mode").asString()).isEqualTo("auto");
        assertThat(room.at("/limits/configured/capacity").asInt()).isEqualTo(3);
        assertThat(room.at("/limits/configured/rate/period").asString()).isEqualTo("PT15S");
        assertThat(room.at("/limits/override").isNull()).isTrue();
        assertThat(node.get("/rooms/nowhere").problem()).isEqualTo("unknown-room");
        assertThat(node.get("/rooms/No%20Where").problem()).isEqualTo("unknown-room");
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "shadow", "hold", "open", "drain", "reject"})
    void everyModeCanBeSet(String mode) {
        assertThat(post("/mode", "{\"mode\":\"" + mode + "\"}").json().path("mode").asString()).isEqualTo(mode);
        node.rooms.step();
        assertThat(RoomMode.valueOf(mode.toUpperCase(java.util.Locale.ROOT)))
                .isEqualTo(node.rooms.find(Node.SALE).orElseThrow().state().mode());
    }

    @Test
    void anOperatorAdmitsSetsAMessageAndBeginsAnEpoch() {
        assertThat(post("/admit", "{\"visitors\":7}").json().path("granted").asInt()).isEqualTo(7);
        assertThat(post("/message", "{\"text\":\" Soon. \"}").json().path("message").asString()).isEqualTo("Soon.");
        assertThat(post("/message", "{\"text\":null}").json().path("message").isNull()).isTrue();
        long epoch = node.get("/rooms/sale").json().path("epoch").asLong();
        assertThat(post("/epoch", "{}").json().path("epoch").asLong()).isEqualTo(epoch + 1);
    }

    @Test
    void limitsAreOverriddenOneByOneAndResetByNull() {
        JsonNode set = patch("{\"capacity\":9}").json().at("/limits/override");
        assertThat(set.path("capacity").asInt()).isEqualTo(9);
        assertThat(set.at("/rate/visitors").asInt()).as("the configured rate stays").isEqualTo(5);
        node.rooms.step();
        assertThat(patch("{\"rate\":{\"visitors\":1,\"period\":\"PT1S\"}}").json().at("/limits/override/capacity")
                .asInt()).as("the capacity set before stays").isEqualTo(9);
        node.rooms.step();
        assertThat(node.get("/rooms/sale").json().at("/limits/inForce/capacity").asInt()).isEqualTo(9);
        assertThat(patch("{\"capacity\":null,\"rate\":null}").json().at("/limits/override").isNull()).isTrue();
    }

    @Test
    void aRevokedVisitorLosesThePass() {
        var room = node.rooms.find(Node.SALE).orElseThrow();
        Visit visit = room.visits().arrive(ShownTokens.NONE, () -> "192.0.2.1", true).stage().toCompletableFuture()
                .join();
        assertThat(visit).isInstanceOf(Visit.Admitted.class);
        VisitorId visitor = ((Visit.Admitted) visit).pass().visitor();
        assertThat(node.get("/rooms/sale").json().path("active").asInt()).isEqualTo(1);

        assertThat(post("/revoke", "{\"visitor\":\"" + visitor + "\"}").json().path("active").asInt()).isZero();
        assertThat(post("/revoke", "{\"visitor\":\"nobody\"}").problem()).isEqualTo("bad-request");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /admit   | {"visitors":-1}      | bounds
            /admit   | {"visitors":0}       | bounds
            /admit   | {"visitors":1000001} | bounds
            /admit   | {"visitors":1.5}     | bad-request
            /admit   | {"visitors":"5"}     | bad-request
            /admit   | {}                   | bad-request
            /admit   | {"n":1}              | bad-request
            /admit   | [1]                  | bad-request
            /admit   | nope                 | bad-request
            /mode    | {"mode":"AUTO"}      | bad-request
            /mode    | {"mode":null}        | bad-request
            /message | {}                   | bad-request
            /epoch   | {"sure":true}        | bad-request
            """)
    void anInvalidChangeIsRefusedAndChangesNothing(String action, String body, String problem) {
        assertThat(post(action, body).problem()).isEqualTo(problem);
        JsonNode room = node.get("/rooms/sale").json();
        assertThat(room.path("granted").asInt()).isZero();
        assertThat(room.path("mode").asString()).isEqualTo("auto");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"capacity\":-1}", "{\"rate\":{\"visitors\":0,\"period\":\"PT1S\"}}",
            "{\"rate\":{\"visitors\":1,\"period\":\"PT2H\"}}"})
    void limitsOutOfTheirBoundsAreRefused(String body) {
        assertThat(patch(body).problem()).isEqualTo("bounds");
    }

    @Test
    void aRoomShowsWhatItRefusedWithTheKeyToSet() {
        var room = node.rooms.find(Node.SALE).orElseThrow();
        assertThat(node.get("/rooms/sale/refusals").json().path("refusals").size()).isZero();
        for (int n = 0; n < 110; n++) {
            room.visits().arrive(ShownTokens.NONE, () -> "192.0.2.1", true).stage().toCompletableFuture().join();
        }
        JsonNode answer = node.get("/rooms/sale/refusals").json();
        JsonNode refusals = answer.path("refusals");
        assertThat(answer.path("unreachable").size()).isZero();
        assertThat(refusals.findValuesAsString("cause")).contains("joins-per-address");
        assertThat(refusals.get(0).path("gates").size()).isEqualTo(1);
        assertThat(refusals.toString()).contains("rooms.sale.joins-per-address", "edge.trusted-proxies");
    }

    @Test
    void whyAVisitorWaitsIsAskedWithTheTicketInTheBody() {
        var room = node.rooms.find(Node.SALE).orElseThrow();
        for (int n = 1; n <= 3; n++) {
            String address = "192.0.2." + n;
            room.visits().arrive(ShownTokens.NONE, () -> address, true).stage().toCompletableFuture().join();
        }
        Visit visit = room.visits().arrive(ShownTokens.NONE, () -> "192.0.2.9", true).stage().toCompletableFuture()
                .join();
        node.rooms.step();
        String ticket = String.valueOf(((Visit.Waiting) visit).token());
        JsonNode why = post("/why", "{\"ticket\":\"" + ticket + "\"}").json();
        assertThat(why.path("cause").asString()).isEqualTo("capacity");
        assertThat(why.path("place").asInt()).isEqualTo(4);
        JsonNode byNumber = post("/why", "{\"place\":4}").json();
        assertThat(byNumber.path("cause").asString()).isEqualTo("capacity");
        assertThat(byNumber.path("presentUntil").isString()).isTrue();
        assertThat(post("/why", "{\"place\":0}").problem()).isEqualTo("bad-request");
        assertThat(post("/why", "{\"place\":4,\"ticket\":\"x\"}").problem()).isEqualTo("bad-request");
        JsonNode front = node.get("/rooms/sale/front").json();
        assertThat(front.path("visitors").findValuesAsString("place")).containsExactly("4");
        assertThat(front.path("visitors").get(0).path("connected").asBoolean()).isFalse();
        assertThat(node.get("/rooms/sale/front?limit=1").json().path("visitors").size()).isEqualTo(1);
        assertThat(node.get("/rooms/sale/front?limit=0").problem()).isEqualTo("bad-request");
        assertThat(node.get("/rooms/none/front").problem()).isEqualTo("unknown-room");
        JsonNode places = node.get("/rooms/sale/places").json();
        assertThat(places.path("places").asLong()).isEqualTo(4);
        assertThat(places.at("/networks/rows/0/places").asLong()).isEqualTo(4);
        assertThat(places.at("/signIns/rows")).isEmpty();
        assertThat(node.get("/rooms/sale/places?limit=1").json().at("/addresses/rows")).hasSize(1);
        assertThat(node.get("/rooms/sale/places?limit=0").problem()).isEqualTo("bad-request");
        assertThat(node.get("/rooms/none/places").problem()).isEqualTo("unknown-room");
        assertThat(post("/why", "{\"ticket\":\"x\"}").json().path("cause").asString()).isEqualTo("forged");
        assertThat(post("/why", "{}").problem()).isEqualTo("bad-request");
        assertThat(post("/why", "{\"ticket\":\"x\",\"visitor\":\"AAAAAAAAAAAAAAAAAAAAAA\"}").problem())
                .isEqualTo("bad-request");
        assertThat(post("/why", "{\"visitor\":\"x\"}").problem()).isEqualTo("bad-request");
        assertThat(node.get("/rooms/sale/why").status()).isEqualTo(405);
    }

    @Test
    void aMessageIsSetInSeveralLanguages() {
        JsonNode room = post("/message", "{\"text\":\"Back at 9\",\"texts\":{\"DE\":\" Um 9 \",\"fi\":\"Klo 9\"}}")
                .json();
        assertThat(room.path("message").asString()).isEqualTo("Back at 9");
        assertThat(room.path("messages").toString()).isEqualTo("{\"de\":\"Um 9\",\"fi\":\"Klo 9\"}");

        room = post("/message", "{\"texts\":{\"de\":\"Um 9\"}}").json();
        assertThat(room.path("message").asString()).as("for all others, too").isEqualTo("Um 9");
        room = post("/message", "{\"text\":null}").json();
        assertThat(room.path("message").isNull()).isTrue();
        assertThat(room.path("messages").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"texts":{"english":"a"}}         | bounds      | is no known language
            {"texts":{"de":" "}}              | bounds      | for de is empty
            {"texts":{"de":1}}                | bad-request | texts
            {"texts":["a"]}                   | bad-request | texts
            {"text":["a"]}                    | bad-request | texts
            {"texts":{"de":"a","DE":"b"}}     | bounds      | two texts
            {"texts":{"default":"a","de":""}} | bounds      | for de is empty
            """)
    void aFaultyMessageIsRefusedWithTheLanguageAndTheRule(String body, String problem, String detail) {
        Node.Reply refused = post("/message", body);
        assertThat(refused.problem()).isEqualTo(problem);
        assertThat(refused.json().path("detail").asString()).contains(detail);
        assertThat(node.get("/rooms/sale").json().path("message").isNull()).isTrue();
    }

    @Test
    void aTooLongMessageIsRefused() {
        assertThat(post("/message", "{\"text\":\"" + "x".repeat(501) + "\"}").problem()).isEqualTo("bounds");
    }

    @Test
    void nothingIsChangedByAGetByAFormOrForAnotherSite() {
        assertThat(node.get("/rooms/sale/admit").status()).isEqualTo(405);
        assertThat(node.post(node.atApi("/rooms/sale/admit"), "application/x-www-form-urlencoded", "visitors=5")
                .status()).isEqualTo(415);
        assertThat(node.post(node.atApi("/rooms/sale/admit").header("Origin", "https://evil.example"),
                "application/json", "{\"visitors\":5}").status()).isEqualTo(403);
        assertThat(node.get("/rooms/sale").json().path("granted").asInt()).isZero();
    }

    private Node.Reply post(String action, String body) {
        return node.post(node.atApi("/rooms/sale" + action), "application/json", body);
    }

    private Node.Reply patch(String body) {
        return node.send(node.atApi("/rooms/sale").header("Content-Type", "application/json").method("PATCH",
                BodyPublishers.ofString(body)));
    }
}
