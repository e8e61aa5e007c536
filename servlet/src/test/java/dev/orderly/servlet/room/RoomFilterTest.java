package dev.orderly.servlet.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.room.Opening;
import dev.orderly.room.Openings;
import dev.orderly.room.Tiers;
import dev.orderly.room.TokenLifetimes;
import dev.orderly.servlet.Container;
import dev.orderly.servlet.RoomApp;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.edge.ForwardedForCheck;
import dev.orderly.web.room.RoomMatch;
import jakarta.servlet.AsyncContext;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The promises of a room, in front of an application below {@code /shop}. */
@ParameterizedClass
@EnumSource(Container.Kind.class)
class RoomFilterTest {
    private final Container.Kind kind;
    private final RoomApp app;

    RoomFilterTest(Container.Kind kind) {
        this.kind = kind;
        app = new RoomApp(kind, "/shop");
    }

    @AfterEach
    void close() {
        app.close();
    }

    private Guest guest() {
        return new Guest(app);
    }

    private Guest inside() {
        return Guest.inside(app);
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    @Test
    void aQuietRoomShowsNoPageAndTheApplicationGetsTheRoomsHeadersWithoutTokens() {
        Guest first = guest();

        HttpResponse<String> answer = first.get("/tickets/1");
        first.cookies.put("session", "abc");
        first.send(app.at("/tickets/2").header("Orderly-Room", "forged").header("orderly_visitor", "x").GET());
        app.does((request, response) -> {
            assertThat(request.getCookies()).extracting("name").containsExactly("session");
            assertThat(request.getHeader("orderly_visitor")).isNull();
            assertThat(RoomVisit.of(request).orElseThrow().room()).isEqualTo("sale");
        });

        assertThat(first.get("/tickets/3").statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("application /shop/tickets/1");
        assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(app.reached).startsWith("GET /shop/tickets/1 sale null", "GET /shop/tickets/2 sale session=abc");
    }

    @Test
    void aWaitingVisitorKeepsItsPlaceAndIsNotOvertaken() {
        Guest first = inside();
        Guest second = guest();
        Guest third = guest();
        HttpResponse<String> answer = second.get("/tickets/x");
        third.get("/tickets/x");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.headers().firstValue("Orderly-State")).hasValue("waiting");
        assertThat(json(answer).path("place").asInt()).isEqualTo(2);
        assertThat(json(second.get("/tickets/y")).path("place").asInt()).isEqualTo(2);
        assertThat(json(third.call("GET", "ticket")).path("place").asInt()).isEqualTo(3);
        assertThat(first.call("DELETE", "ticket").statusCode()).isEqualTo(204);
        app.pass(2);
        assertThat(third.get("/tickets/x").statusCode()).isEqualTo(503);
        assertThat(second.get("/tickets/x").statusCode()).isEqualTo(200);
        assertThat(third.get("/tickets/x").statusCode()).isEqualTo(503);
        assertThat(app.reached).filteredOn(line -> line.contains("/tickets/x")).hasSize(1);
    }

    @Test
    void beforeAnOpeningVisitorsAreInTheLobbyAndEnterAtItsTime() {
        ZonedDateTime opens = app.time.now().atZone(ZoneOffset.UTC).plusSeconds(20);
        app.room().change(app.room().options().withOpenings(
                new Openings(List.of(new Opening(opens, Duration.ofSeconds(20), null, null)), false)));
        Guest visitor = guest();
        HttpResponse<String> lobby = visitor.get("/tickets/x");
        assertThat(lobby.statusCode()).isEqualTo(503);
        assertThat(json(lobby).path("state").asString()).isEqualTo("lobby");
        assertThat(visitor.page("/tickets/x", "en").body()).contains("data-state=\"lobby\"", "Not open yet");
        app.pass(19);
        assertThat(visitor.get("/tickets/x").statusCode()).isEqualTo(503);
        app.pass(2);
        assertThat(visitor.get("/tickets/x").statusCode()).isEqualTo(200);
    }

    @Test
    void headersOfAProxyThatNobodyReadsAreAWarningWithTheRemedyForContainers() {
        try (LogLines lines = LogLines.of(ForwardedForCheck.class.getName())) {
            guest().send(app.at("/tickets/1").header("X-Forwarded-For", "127.0.0.1").GET());
            assertThat(lines.events()).isEmpty();
            guest().send(app.at("/tickets/1").header("X-Forwarded-For", "203.0.113.7").GET());
            assertThat(lines.with("server.forward-headers-strategy")).singleElement().asString()
                    .contains("127.0.0.1", "orderly.room-filter.trusted-proxies");
        }
    }

    @Test
    void aBrowserKeepsAPassForAsLongAsTheRoomMayHonourItWhileTheStoreIsAway() {
        String cookie = guest().get("/tickets/a").headers().allValues("Set-Cookie").stream()
                .filter(each -> each.contains("orderly_p_")).findFirst().orElseThrow();
        assertThat(cookie).contains("Max-Age=" + TokenLifetimes.DEFAULT.longestPass().toSeconds());
    }

    @Test
    void anAdmittedRequestAsksNoStore() {
        Guest first = inside();
        app.store.failRandomly(1, 1);

        assertThat(first.get("/tickets/b").statusCode()).isEqualTo(200);
    }

    @Test
    void peopleGetAPageInTheirLanguageWhoseLinksAreBelowTheContextPath() {
        inside();

        HttpResponse<String> page = guest().page("/tickets/", "fr-CH, fr;q=0.9, en;q=0.8");

        assertThat(page.headers().firstValue("Content-Type")).hasValueSatisfying(
                type -> assertThat(type.toLowerCase(Locale.ROOT).replace(" ", ""))
                        .isEqualTo("text/html;charset=utf-8"));
        assertThat(page.headers().firstValue("Content-Language")).hasValue("fr");
        assertThat(page.headers().firstValue("Content-Security-Policy")).hasValueSatisfying(
                policy -> assertThat(policy).startsWith("default-src 'none'"));
        assertThat(page.body()).contains("lang=\"fr\"", "\"/shop/.orderly/rooms/sale").doesNotContain("\"/.orderly");
    }

    @Test
    void thePagesOfAPlaceAndTheirFormsStayBelowTheContextPath() {
        app.room().change(app.room().options().withMove(true)
                .withTiers(new Tiers(List.of(Tiers.Tier.invited("press", 5)))));
        app.pass(2);
        inside();
        Guest visitor = guest();
        visitor.get("/tickets/a");
        String waiting = visitor.page("/tickets/a?x=1", "en").body();
        assertThat(waiting).contains("\"/shop/.orderly/rooms/sale/link?back=%2Fshop%2Ftickets%2Fa%3Fx%3D1\"",
                "\"/shop/.orderly/rooms/sale/invitation\"").doesNotContain("\"/.orderly");
        HttpResponse<String> link = visitor.send(app.at("/.orderly/rooms/sale/link?back=%2Fshop%2Ftickets%2Fa")
                .header("Accept", "text/html").POST(BodyPublishers.noBody()));
        assertThat(link.body()).contains("/shop/.orderly/rooms/sale/move?back").contains("\"/shop/tickets/a\"");
        for (String page : List.of("move", "invitation")) {
            assertThat(guest().page("/.orderly/rooms/sale/" + page + "?back=%2Fshop%2Ftickets%2Fa", "en").body())
                    .contains("action=\"/shop/.orderly/rooms/sale/" + page + "\"", "value=\"/shop/tickets/a\"");
        }
        assertThat(visitor.send(app.at("/tickets/a?x=1").header("Accept", "text/html")
                .header("Orderly-Invitation", "wrong")).body()).contains("value=\"/shop/tickets/a?x&#x3D;1\"");
    }

    @Test
    void theApplicationGetsNoCodeOfAnInvitation() {
        app.does((request, _) -> assertThat(request.getHeader("Orderly-Invitation")).isNull());
        for (String path : List.of("/tickets/1", "/open", "/robots.txt")) {
            assertThat(guest().send(app.at(path).header("Orderly-Invitation", "secret")).statusCode()).as(path)
                    .isIn(200, 503);
        }
        assertThat(app.reached).hasSize(3);
    }

    @Test
    void otherPathsAndTheRulesOfBypassAreOpen() {
        inside();

        assertThat(guest().get("/open").statusCode()).isEqualTo(200);
        assertThat(guest().get("/tickets/..%2Fopen").statusCode()).isEqualTo(400);
        assertThat(guest().get("/robots.txt").statusCode()).isEqualTo(200);
    }

    @Test
    void noSpellingOfAPathGetsPastItsRoom() {
        inside();
        for (String path : new String[]{"/tickets;a=b/x", "//tickets/x", "/open/../tickets/x", "/%74ickets/x",
                "/tickets/x;jsessionid=1", "/Tickets/x"}) {
            assertThat(guest().get(path).statusCode()).as(path).isIn(400, 503);
        }
        assertThat(app.reached).noneMatch(line -> line.endsWith("x sale null"));
    }

    @Test
    void theBuiltInRulesOfBypassAreForReadersWithoutAQueryAndBounded() throws Exception {
        RoomApp site = new RoomApp(kind, "/shop", RoomFilterOptions.defaults(),
                RoomMatch.of("/**").withBuiltInBypass(1));
        try (site) {
            Guest.inside(site);
            site.reached.clear();
            String file = "/.well-known/acme-challenge/a";
            assertThat(new Guest(site).get(file).statusCode()).isEqualTo(200);
            assertThat(new Guest(site).get(file + "?a").statusCode()).isEqualTo(503);
            assertThat(site.send(site.at(file).POST(BodyPublishers.noBody())).statusCode()).isEqualTo(503);
            assertThat(site.send(site.at("/x").header("Origin", "https://a.example").method("OPTIONS",
                    BodyPublishers.noBody())).statusCode()).isEqualTo(503);
            assertThat(site.reached).hasSize(1);

            CompletableFuture<AsyncContext> open = new CompletableFuture<>();
            site.does((request, _) -> {
                if (!open.isDone()) {
                    AsyncContext async = request.startAsync();
                    async.setTimeout(0);
                    open.complete(async);
                }
            });
            CompletableFuture<HttpResponse<String>> first = site.client().sendAsync(site.at(file).build(),
                    BodyHandlers.ofString());
            AsyncContext async = open.get(60, TimeUnit.SECONDS);
            assertThat(new Guest(site).get(file).statusCode()).isEqualTo(503);
            async.complete();
            assertThat(first.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            await().atMost(Duration.ofSeconds(60)).until(() -> new Guest(site).get(file).statusCode() == 200);
        }
    }

    @Test
    void forgedTokensCountForNothing() {
        Guest first = inside();
        String name = first.cookies.keySet().stream().filter(cookie -> cookie.contains("_p_")).findFirst()
                .orElseThrow();
        Guest forger = guest();
        String pass = String.valueOf(first.cookies.get(name));
        forger.cookies.put(name, pass.substring(0, pass.length() - 2) + (pass.endsWith("AA") ? "BB" : "AA"));

        assertThat(forger.get("/tickets/x").statusCode()).isEqualTo(503);
        assertThat(guest().send(app.at("/tickets/x").header("authorization", "orderly " + pass).GET()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void headAndUploadsOfWaitingVisitorsAreAnsweredAndDoNotReachTheApplication() {
        inside();

        HttpResponse<String> head = guest().send(app.at("/tickets/x").method("HEAD", BodyPublishers.noBody()));
        HttpResponse<String> upload = guest().send(app.at("/tickets/x").POST(BodyPublishers.ofByteArray(
                new byte[100_000])));

        assertThat(head.statusCode()).isEqualTo(503);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Length")).isPresent();
        assertThat(upload.statusCode()).isEqualTo(503);
        assertThat(json(upload).path("place").asInt()).isEqualTo(3);
        assertThat(app.reached).noneMatch(line -> line.contains("/tickets/x"));
    }

    @Test
    void thePageWithoutScriptGivesThePlaceBackByAForm() {
        inside();
        Guest waiting = guest();
        waiting.get("/tickets/");

        HttpResponse<String> left = waiting.send(app.at("/.orderly/rooms/sale/ticket").header("Content-Type",
                "application/x-www-form-urlencoded").POST(BodyPublishers.ofString("action=leave")));

        assertThat(left.statusCode()).isEqualTo(200);
        assertThat(waiting.cookies).isEmpty();
        assertThat(waiting.call("GET", "ticket").statusCode()).isEqualTo(404);
    }

    @Test
    void theApplicationEndsAStayByCommandOrByTheVisit() {
        Guest first = inside();
        app.does((_, response) -> response.setHeader("Orderly-Command", "revoke"));
        HttpResponse<String> last = first.get("/tickets/bye");
        untilNobodyIsInside();
        Guest second = guest();
        assertThat(last.headers().firstValue("Orderly-Command")).isEmpty();
        app.does((request, _) -> RoomVisit.of(request).ifPresent(RoomVisit::end));
        assertThat(second.get("/tickets/in").statusCode()).isEqualTo(200);
        app.does((_, _) -> {});
        untilNobodyIsInside();

        assertThat(guest().get("/tickets/in").statusCode()).isEqualTo(200);
        assertThat(first.get("/tickets/").statusCode()).isEqualTo(503);
    }

    /** The end of a stay is told to the store after the answer. */
    private void untilNobodyIsInside() {
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            app.rooms.step();
            return app.room().state().load().active() == 0;
        });
    }

    @Test
    void dispatchesOfARequestThatWasLetThroughAreNotGatedAgain() {
        Guest first = inside();
        app.does((request, response) -> {
            if (request.getRequestURI().endsWith("/forward")) {
                request.getRequestDispatcher("/tickets/target").forward(request, response);
            } else if (request.getRequestURI().endsWith("/async") && request.getAttribute("again") == null) {
                request.setAttribute("again", true);
                request.startAsync().dispatch();
            }
        });

        assertThat(first.get("/tickets/forward").body()).isEqualTo("application /shop/tickets/target");
        assertThat(first.get("/tickets/async").body()).isEqualTo("application /shop/tickets/async");
        assertThat(guest().get("/open/forward").statusCode()).isEqualTo(200);
    }

    @Test
    void anErrorOfTheApplicationKeepsThePassAndSlowsTheRoom() {
        Guest first = guest();
        app.traffic.take();
        app.does((request, response) -> {
            if (request.getRequestURI().endsWith("/throws")) {
                throw new IllegalStateException("the application fails");
            }
            response.reset();
            response.setHeader("Cache-Control", "public");
            response.addHeader("CDN-Cache-Control", "max-age=600");
            response.addDateHeader("Expires", Long.MAX_VALUE / 2_000_000_000);
            response.sendError(500);
        });

        HttpResponse<String> failed = first.get("/tickets/error");
        assertThat(failed.statusCode()).isEqualTo(500);
        assertThat(first.cookies.keySet()).anyMatch(name -> name.contains("_p_"));
        assertThat(failed.headers().allValues("Cache-Control")).anyMatch(value -> value.contains("no-store"))
                .noneMatch(value -> value.contains("public"));
        assertThat(failed.headers().allValues("CDN-Cache-Control")).isEmpty();
        assertThat(failed.headers().allValues("Expires")).isEmpty();
        assertThat(first.get("/tickets/throws").statusCode()).isEqualTo(500);
        assertThat(app.traffic.take()).satisfies(window -> {
            assertThat(window.count()).isEqualTo(2);
            assertThat(window.failures()).isEqualTo(2);
        });
    }

    @Test
    void anAnswerThatIsCommittedEarlyHasTheTokens() {
        Guest first = guest();
        app.does((_, response) -> {
            response.getWriter().write("early");
            response.flushBuffer();
        });

        HttpResponse<String> early = first.get("/tickets/1");
        assertThat(early.body()).isEqualTo("early");
        assertThat(early.headers().allValues("Vary")).contains("Cookie");
        assertThat(first.get("/tickets/2").statusCode()).isEqualTo(200);
        assertThat(guest().get("/tickets/3").statusCode()).isEqualTo(503);
    }

    @Test
    void aPassThatIsNotUsedEndsAndItsPlaceIsFree() {
        inside();
        assertThat(guest().get("/tickets/x").statusCode()).isEqualTo(503);
        app.pass((int) Duration.ofMinutes(6).toSeconds());

        assertThat(guest().get("/tickets/x").statusCode()).isEqualTo(200);
    }
}
