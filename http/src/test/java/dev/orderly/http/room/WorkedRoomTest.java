package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.room.Limits;
import dev.orderly.room.ProofOfWork;
import dev.orderly.room.RoomOptions;
import dev.orderly.testkit.sim.WorkSolver;
import dev.orderly.web.browser.Guest;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A room whose visitors work or wait before a place where their network is crowded, over HTTP. */
class WorkedRoomTest {
    private final RoomNode node = RoomNode.with(RoomOptions.of(new Limits(1, null))
            .withProofOfWork(new ProofOfWork(1, Duration.ofSeconds(30), 1_000)), room -> room);
    private final Guest guest = new Guest(node);

    @BeforeEach
    void crowd() {
        new Guest(node).send(request("/tickets/a"));
    }

    @AfterEach
    void close() {
        node.close();
    }

    private HttpRequest.Builder request(String path) {
        return node.at(path).header("X-Forwarded-For", "203.0.113.7");
    }

    private HttpResponse<String> asks() {
        return guest.send(request("/tickets/a").header("Accept", "application/json"));
    }

    private HttpRequest.Builder form(String body) {
        return request("/.orderly/rooms/sale/ticket").header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body));
    }

    private static String solution(HttpResponse<String> asked) {
        return "altcha=" + URLEncoder.encode(WorkSolver.solve(Guest.json(asked).path("challenge").toString()),
                StandardCharsets.UTF_8);
    }

    @Test
    void aProgramSolvesTheChallengeOfItsAnswerAndHasAPlaceAtOnce() {
        HttpResponse<String> asked = asks();
        assertThat(asked.statusCode()).isEqualTo(429);
        assertThat(asked.headers().firstValue("Retry-After")).hasValue("30");
        assertThat(asked.body()).contains("place-later", "POST /.orderly/rooms/sale/ticket")
                .doesNotContain("check of");
        String solution = solution(asked);
        HttpResponse<String> placed = guest.send(form(solution));
        assertThat(placed.statusCode()).isEqualTo(201);
        assertThat(Guest.json(placed).path("place").asLong()).isEqualTo(2);
        assertThat(Guest.json(guest.call("GET", "ticket")).path("place").asLong()).isEqualTo(2);

        Guest lost = new Guest(node);
        assertThat(Guest.json(lost.send(form(solution))).path("place").asLong()).as("after a lost answer").isEqualTo(2);
        assertThat(lost.cookies).isNotEmpty();
        node.pass(1);
        assertThat(node.room().state().line().length()).isEqualTo(2);
    }

    @Test
    void withoutWorkTheWaitGivesThePlace() {
        asks();
        node.pass(29);
        assertThat(asks().statusCode()).isEqualTo(429);
        node.pass(1);
        assertThat(asks().statusCode()).isEqualTo(503);
        node.pass(1);
        assertThat(node.room().state().line().length()).isEqualTo(2);
    }

    @Test
    void aBrowserReadsWhyItWorksAndGetsTheChallengeInThePage() {
        HttpResponse<String> page = guest.send(request("/tickets/a").header("Accept", "text/html"));
        assertThat(page.statusCode()).isEqualTo(429);
        assertThat(page.body()).contains("Many places were taken from your network", "data-challenge=\"{&quot;",
                "http-equiv=\"refresh\" content=\"30\"");
        assertThat(page.headers().firstValue("Set-Cookie")).as("the wait, for a browser without script").isPresent();
    }

    @Test
    void whatIsNoSolutionIsAnsweredWithAnotherChallenge() {
        String first = Guest.json(asks()).path("challenge").toString();
        guest.cookies.clear();
        for (String body : new String[]{"altcha=", "altcha=e30%3D", "altcha=" + "x".repeat(2_000)}) {
            HttpResponse<String> answer = guest.send(form(body));
            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(Guest.json(answer).path("challenge").toString()).isNotEqualTo(first).contains("PBKDF2");
            guest.cookies.clear();
        }
        assertThat(guest.send(form("other=1")).statusCode()).isEqualTo(422);
    }

    @Test
    void aSolutionOnThePageOfAnotherSiteGivesNoPlace() {
        HttpResponse<String> asked = asks();
        assertThat(guest.send(form(solution(asked)).header("Sec-Fetch-Site", "cross-site")).statusCode())
                .isEqualTo(403);
        node.pass(1);
        assertThat(node.room().state().line().length()).isEqualTo(1);
    }
}
