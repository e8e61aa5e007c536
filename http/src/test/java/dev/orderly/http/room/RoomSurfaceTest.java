package dev.orderly.http.room;

import static dev.orderly.web.browser.Guest.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.room.TokenLifetimes;
import dev.orderly.room.store.GateLease;
import dev.orderly.web.browser.Guest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The answers to visitors at the edge. */
class RoomSurfaceTest extends EdgeRoomTest {
    @Test
    void aQuietRoomShowsNoPage() {
        HttpResponse<String> answer = guest().get("/tickets/1?x=y");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("origin /tickets/1?x=y");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
    }

    @Test
    void theOriginGetsTheRoomsHeadersAndNoTokensOrForgedCopies() {
        Guest first = guest();
        first.get("/tickets/1");
        first.cookies.put("session", "abc");

        first.send(node.at("/tickets/2").header("Orderly-Room", "forged").header("Orderly-Visitor", "x").GET());

        assertThat(node.reached).containsExactly("GET /tickets/1 sale null", "GET /tickets/2 sale session=abc");
    }

    @Test
    void aWaitingVisitorGetsPlaceAndPollIntervalAtTheSameAddress() {
        inside();

        HttpResponse<String> answer = guest().get("/tickets/x");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).hasValueSatisfying(
                seconds -> assertThat(Long.parseLong(seconds)).isBetween(1L, 40L));
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(answer.headers().firstValue("Vary")).hasValueSatisfying(vary -> assertThat(vary).contains("Cookie",
                "Accept"));
        assertThat(json(answer).path("place").asInt()).isEqualTo(2);
        assertThat(json(answer).path("state").asString()).isEqualTo("waiting");
        assertThat(json(answer).path("type").asString()).isEqualTo("urn:orderly:problem:waiting");
        assertThat(node.reached).noneMatch(request -> request.contains("/tickets/x"));
    }

    @Test
    void peopleGetAPageInTheirLanguageAndProgramsGetJson() {
        inside();

        HttpResponse<String> page = guest().page("/tickets/", "fr-CH, fr;q=0.9, en;q=0.8");

        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("Content-Language")).hasValue("fr");
        assertThat(page.headers().firstValue("Content-Security-Policy")).hasValueSatisfying(
                policy -> assertThat(policy).startsWith("default-src 'none'"));
        assertThat(page.body()).contains("lang=\"fr\"", "/.orderly/rooms/sale");
    }

    @Test
    void aBrowserKeepsAPassForAsLongAsTheRoomMayHonourItWhileTheStoreIsAway() {
        Duration idle = Duration.ofSeconds(20);
        TokenLifetimes stay = new TokenLifetimes(idle, null, Duration.ofHours(1));
        try (RoomNode quick = new RoomNode(RoomNode.ONE_INSIDE.withStay(stay))) {
            String cookie = new Guest(quick).get("/tickets/").headers().allValues("Set-Cookie").stream()
                    .filter(each -> each.contains("orderly_p_")).findFirst().orElseThrow();
            long kept = Long.parseLong(cookie.replaceAll(".*Max-Age=(\\d+).*", "$1"));
            assertThat(kept).isEqualTo(stay.longestPass().toSeconds())
                    .isGreaterThan(idle.plus(GateLease.LONGEST).toSeconds());
        }
    }

    @Test
    void aRefreshKeepsThePlaceAndTwoTabsShareIt() {
        inside();
        Guest waiting = guest();
        int place = json(waiting.get("/tickets/")).path("place").asInt();

        assertThat(json(waiting.get("/tickets/")).path("place").asInt()).isEqualTo(place);
        assertThat(json(waiting.get("/tickets/other")).path("place").asInt()).isEqualTo(place);
        assertThat(json(waiting.call("GET", "ticket")).path("place").asInt()).isEqualTo(place);
        assertThat(json(guest().get("/tickets/")).path("place").asInt()).isEqualTo(place + 1);
    }

    @Test
    void theNextVisitorEntersAtTheSameAddressWhenAnotherLeaves() {
        Guest first = inside();
        Guest second = guest();
        second.get("/tickets/");

        assertThat(first.call("DELETE", "ticket").statusCode()).isEqualTo(204);
        assertThat(first.cookies).isEmpty();
        node.pass(2);

        assertThat(second.get("/tickets/").body()).isEqualTo("origin /tickets/");
        assertThat(first.get("/tickets/").statusCode()).isEqualTo(503);
    }

    @Test
    void aPassLivesAsLongAsThereAreRequestsAndIsRenewedAtMostOncePerHalfLife() {
        Guest first = inside();
        String pass = first.jar();

        node.pass(100);
        first.get("/tickets/");
        assertThat(first.jar()).isEqualTo(pass);
        node.pass(60);
        first.get("/tickets/");
        assertThat(first.jar()).isNotEqualTo(pass);
        node.pass(200);

        assertThat(first.get("/tickets/").statusCode()).isEqualTo(200);
        node.pass(301);
        assertThat(guest().get("/tickets/").statusCode()).isEqualTo(200);
    }

    @Test
    void theOriginEndsAStayWithACommand() {
        Guest first = inside();
        node.originDoes(exchange -> exchange.getResponseHeaders().add("Orderly-Command", "revoke"));

        HttpResponse<String> last = first.get("/tickets/bye");
        node.originDoes(_ -> {});

        assertThat(last.headers().firstValue("Orderly-Command")).isEmpty();
        Guest second = guest();
        await().untilAsserted(() -> { // the store learns of the end behind the answer
            node.pass(1);
            assertThat(json(second.call("POST", "ticket")).path("state").asString()).isEqualTo("turn");
        });
        assertThat(first.get("/tickets/").statusCode()).isEqualTo(503);
    }

    @Test
    void theCursorIsPublicSmallAndForCaches() {
        inside();
        guest().get("/tickets/");

        HttpResponse<String> cursor = guest().call("GET", "cursor");
        String tag = cursor.headers().firstValue("ETag").orElseThrow();

        assertThat(cursor.statusCode()).isEqualTo(200);
        assertThat(cursor.body()).hasSizeLessThan(400);
        assertThat(cursor.headers().firstValue("Cache-Control")).hasValueSatisfying(
                cache -> assertThat(cache).startsWith("public, max-age=1"));
        assertThat(cursor.headers().firstValue("Set-Cookie")).isEmpty();
        node.pass(1);
        assertThat(json(guest().call("GET", "cursor")).path("length").asInt()).isEqualTo(2);
        HttpResponse<String> again = guest().send(node.at("/.orderly/rooms/sale/cursor")
                .header("If-None-Match", guest().call("GET", "cursor").headers().firstValue("ETag").orElse(tag)).GET());
        assertThat(again.statusCode()).isEqualTo(304);
    }

    @Test
    void aProgramTakesATicketAsksForThePassAndLeaves() {
        Guest first = inside();
        Guest app = guest();

        assertThat(app.call("GET", "ticket").statusCode()).isEqualTo(404);
        assertThat(app.call("POST", "pass").statusCode()).isEqualTo(404);
        assertThat(app.call("POST", "ticket").statusCode()).isEqualTo(201);
        assertThat(app.call("POST", "ticket").statusCode()).isEqualTo(200);
        HttpResponse<String> notYet = app.call("POST", "pass");
        assertThat(notYet.statusCode()).isEqualTo(202);
        assertThat(notYet.headers().firstValue("Retry-After")).isPresent();
        first.call("DELETE", "ticket");
        node.pass(2);

        assertThat(json(app.call("GET", "ticket")).path("state").asString()).isEqualTo("turn");
        assertThat(app.call("POST", "pass").statusCode()).isEqualTo(200);
        assertThat(app.get("/tickets/").statusCode()).isEqualTo(200);
        String old = app.jar();
        app.call("DELETE", "ticket");
        node.pass(1);
        assertThat(node.send(node.at("/.orderly/rooms/sale/pass").header("Cookie", old)
                .POST(BodyPublishers.noBody())).statusCode()).isEqualTo(410);
    }

    @Test
    void anAppMaySendItsTokensAsAuthorization() {
        Guest app = inside();
        String token = app.cookies.get("orderly_p_sale");

        HttpResponse<String> answer = node.send(node.at("/tickets/").header("Authorization", "Orderly " + token).GET());

        assertThat(answer.statusCode()).isEqualTo(200);
    }

    @Test
    void thePageWithoutScriptLeavesByItsForm() {
        inside();
        Guest waiting = guest();
        waiting.page("/tickets/", "en");

        HttpResponse<String> left = waiting.send(node.at("/.orderly/rooms/sale/ticket").header("Accept", "text/html")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Referer", "http://127.0.0.1:" + node.edge.port() + "/tickets/?a=\"><script>")
                .POST(BodyPublishers.ofString("action=leave")));

        assertThat(left.statusCode()).isEqualTo(200);
        assertThat(left.body()).contains("You have left the line",
                "href=\"/tickets/?a&#x3D;&quot;&gt;&lt;script&gt;\"");
        assertThat(waiting.cookies).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"//evil.example", "/\\evil.example", "//evil.example/tickets/", "/%09/evil.example\\"})
    void thePageAfterLeavingLinksToNoOtherSite(String path) {
        inside();
        Guest waiting = guest();
        waiting.page("/tickets/", "en");

        HttpResponse<String> left = waiting.send(node.at("/.orderly/rooms/sale/ticket").header("Accept", "text/html")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Referer", "http://127.0.0.1:" + node.edge.port() + path)
                .POST(BodyPublishers.ofString("action=leave")));

        assertThat(left.body()).contains("You have left the line", "href=\"/\"").doesNotContain("evil");
    }

    @Test
    void unknownEndpointsAreRefusedAndReservedPathsAreNotForwarded() {
        assertThat(guest().call("PUT", "cursor").statusCode()).isEqualTo(405);
        assertThat(guest().call("GET", "pass").headers().firstValue("Allow")).hasValue("POST");
        assertThat(guest().call("GET", "nothing").statusCode()).isEqualTo(404);
        assertThat(node.send(node.at("/.orderly/rooms/other/cursor").GET()).statusCode()).isEqualTo(404);
        assertThat(node.send(node.at("/.orderly/").GET()).statusCode()).isEqualTo(404);
        assertThat(node.send(node.at("/%252eorderly/x").GET()).statusCode()).isEqualTo(404);
        assertThat(node.send(node.at("/%2eorderly/x").GET()).statusCode()).isEqualTo(404);
        assertThat(node.reached).isEmpty();
    }

    @Test
    void noSpellingOfThePathEvadesTheRoom() {
        inside();
        for (String path : List.of("/tickets", "//tickets/x", "/TICKETS/x", "/a/../tickets/x", "/%74ickets/x",
                "/tickets%2Fx", "/tickets;v=1/x", "/./tickets/x", "/tickets/robots.txt")) {
            HttpResponse<String> answer = guest().get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(503);
        }
    }

    @Test
    void outsideAndBypassedRequestsAreForwardedWithoutAPlace() {
        inside();

        assertThat(guest().get("/").body()).isEqualTo("origin /");
        assertThat(guest().get("/robots.txt").body()).isEqualTo("origin /robots.txt");
        assertThat(guest().get("/").headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(node.send(node.at("/tickets/").header("Origin", "https://app.example.com")
                .header("Access-Control-Request-Method", "PUT").method("OPTIONS", BodyPublishers.noBody()))
                .statusCode())
                .isEqualTo(200);
    }

    @Test
    void aPictureOfThePageTakesNoPlace() {
        inside();

        HttpResponse<String> picture = node.send(node.at("/tickets/x.png").header("Sec-Fetch-Dest", "image").GET());
        node.pass(1);

        assertThat(picture.statusCode()).isEqualTo(503);
        assertThat(picture.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(node.room().state().line().length()).isEqualTo(1);
    }
}
