package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.RoomOptions;
import dev.orderly.room.gate.RoomRefusals.Cause;
import dev.orderly.time.Time;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.room.check.CheckPolicy;
import dev.orderly.web.room.check.CheckPolicy.OnFailure;
import dev.orderly.web.room.check.CheckPolicy.When;
import dev.orderly.web.room.check.CheckProgram;
import dev.orderly.web.room.check.JoinCheck;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A room whose visitors are checked before they get a place, over HTTP. */
class CheckedRoomTest {
    private final CheckProgram program = new CheckProgram();
    private final HttpClient client = JoinCheck.newClient();
    private RoomNode node = room(policy -> policy);

    @AfterEach
    void close() {
        program.close();
        node.close();
        client.shutdownNow();
    }

    private RoomNode room(UnaryOperator<CheckPolicy> change) {
        CheckPolicy policy = change.apply(CheckPolicy.of(program.url()).withWhen(When.ALWAYS)
                .withTimeout(Duration.ofSeconds(5)).withHeaders(List.of("Cookie", "X-Score", "Authorization")));
        return RoomNode.with(RoomOptions.of(new Limits(2, null)), room -> room.withCheck(new JoinCheck(policy,
                List.of(), client, Time.system())));
    }

    private void change(UnaryOperator<CheckPolicy> change) {
        node.close();
        node = room(change);
    }

    private HttpRequest.Builder request() {
        return node.at("/tickets/a").header("X-Forwarded-For", "203.0.113.7").header("X-Score", "3");
    }

    private HttpResponse<String> send(Guest guest) {
        return guest.send(request().header("Accept", "application/json"));
    }

    private long count(Cause cause) {
        return node.room().visits().refusals().total(cause).count();
    }

    @Test
    void aVisitorWhomTheCheckAllowsEntersAndIsNotAskedAboutAgain() {
        Guest guest = new Guest(node);
        for (int n = 0; n < 3; n++) {
            assertThat(send(guest).statusCode()).isEqualTo(200);
        }
        assertThat(program.questions).hasSize(1);
        JsonNode asked = program.questions.getFirst().json();
        assertThat(asked.path("address").asString()).isEqualTo("203.0.113.7");
        assertThat(asked.path("path").asString()).isEqualTo("/tickets/a");
        assertThat(asked.at("/headers/x-score").asString()).isEqualTo("3");
    }

    @Test
    void theTokensOfRoomsAreInNoQuestionAndOtherCookiesAre() {
        new Guest(node).send(request().header("Cookie", "a=1; orderly_t_sale=stale; turnstile=proof")
                .header("Authorization", "Orderly stale"));
        JsonNode headers = program.questions.getFirst().json().path("headers");
        assertThat(headers.path("cookie").asString()).contains("turnstile=proof").doesNotContain("stale");
        assertThat(headers.has("authorization")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/json"})
    void aVisitorWhomTheCheckRefusesReadsSoAndHasNoPlace(String accept) {
        program.answers("{\"verdict\":\"refuse\"}");
        HttpResponse<String> answer = new Guest(node).send(request().header("Accept", accept));
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).contains(accept.startsWith("text") ? "No place in line" : "place-refused");
        assertThat(answer.headers().allValues("Set-Cookie")).isEmpty();
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("300");
        assertThat(count(Cause.CHECK_REFUSED)).isEqualTo(1);
        assertThat(node.room().state().line().length()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html", "application/json"})
    void aSlowedVisitorGetsAPlaceAfterTheWaitAndWithoutAnotherQuestion(String accept) {
        program.answers("{\"verdict\":\"slow\",\"seconds\":20}");
        Guest guest = new Guest(node);
        HttpResponse<String> first = guest.send(request().header("Accept", accept));
        assertThat(first.statusCode()).isEqualTo(429);
        assertThat(first.headers().firstValue("Retry-After")).hasValue("20");
        assertThat(first.body()).contains(accept.startsWith("text") ? "after a short wait" : "place-later");
        node.pass(15);
        HttpResponse<String> early = guest.send(request().header("Accept", accept));
        assertThat(early.statusCode()).isEqualTo(429);
        assertThat(early.headers().firstValue("Retry-After").orElseThrow()).isIn("4", "5");
        node.pass(5);
        assertThat(send(guest).statusCode()).isEqualTo(200);
        assertThat(program.questions).hasSize(1);
        assertThat(count(Cause.CHECK_SLOWED)).isEqualTo(1);
        assertThat(count(Cause.TOKEN)).as("the proof of the wait is no forged ticket").isZero();
    }

    @Test
    void aWaitGivesOnePlaceToWhoeverShowsIt() {
        program.answers("{\"verdict\":\"slow\",\"seconds\":20}");
        String cookie = new Guest(node).send(request()).headers().firstValue("Set-Cookie").orElseThrow()
                .replaceAll(";.*", "");
        node.pass(20);
        for (int tab = 0; tab < 2; tab++) {
            HttpResponse<String> answer = new Guest(node).send(request().header("Cookie", cookie));
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().allValues("Set-Cookie")).as("its ticket, and a pass").hasSize(2);
        }
        assertThat(node.room().visits().places().ofNetwork("203.0.113.7")).isEqualTo(1);
        assertThat(program.questions).hasSize(1);
    }

    @Test
    void withoutAVerdictTheSettingDecides() {
        program.answers(500, "");
        assertThat(send(new Guest(node)).statusCode()).isEqualTo(200);
        assertThat(count(Cause.CHECK_FAILED)).isEqualTo(1);
        change(policy -> policy.withOnFailure(OnFailure.REFUSE));
        HttpResponse<String> answer = send(new Guest(node));
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("gave no verdict");
        assertThat(count(Cause.CHECK_FAILED)).isEqualTo(1);
        assertThat(count(Cause.STORE)).isZero();
    }

    @Test
    void aProgramThatHangsHoldsUpNobodyElse() {
        Guest inside = new Guest(node);
        assertThat(send(inside).statusCode()).isEqualTo(200);
        program.hangs();
        var hanging = node.client().sendAsync(request().build(), HttpResponse.BodyHandlers.ofString());
        assertThat(send(inside).statusCode()).isEqualTo(200);
        assertThat(hanging).isNotDone();
        program.close();
        assertThat(hanging.join().statusCode()).isEqualTo(200);
    }

    @Test
    void onlyNewcomersOfACrowdedNetworkAreAskedAbout() {
        change(policy -> policy.withWhen(When.CROWDED).withCrowdedFrom(3));
        program.answers("{\"verdict\":\"refuse\"}");
        for (int n = 1; n <= 3; n++) {
            String address = "203.0.113." + n;
            assertThat(new Guest(node).send(node.at("/tickets/a").header("X-Forwarded-For", address)).statusCode())
                    .isNotEqualTo(403);
        }
        assertThat(program.questions).isEmpty();
        assertThat(send(new Guest(node)).statusCode()).isEqualTo(403);
        assertThat(program.questions.getFirst().json().path("networkPlaces").asLong()).isEqualTo(3);
        assertThat(new Guest(node).send(node.at("/tickets/a").header("X-Forwarded-For", "198.51.100.1"))
                .statusCode()).as("another network").isNotEqualTo(403);
    }

    @Test
    void theEndpointOfProgramsAnswersAsThePageDoes() {
        program.answers("{\"verdict\":\"refuse\"}");
        assertThat(new Guest(node).send(node.at("/.orderly/rooms/sale/ticket").POST(
                HttpRequest.BodyPublishers.noBody())).statusCode()).isEqualTo(403);
        program.answers("{\"verdict\":\"slow\"}");
        assertThat(new Guest(node).send(node.at("/.orderly/rooms/sale/ticket").POST(
                HttpRequest.BodyPublishers.noBody())).statusCode()).isEqualTo(429);
    }
}
