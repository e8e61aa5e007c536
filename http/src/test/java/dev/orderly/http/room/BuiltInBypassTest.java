package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.RawHttp;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.room.RoomMatch;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests of a whole site behind one room that no visitor waits for. */
class BuiltInBypassTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private static RoomNode node(int most) {
        RoomNode node = new RoomNode(RoomNode.ONE_INSIDE, RoomMatch.of("/**").withBuiltInBypass(most),
                TrustedProxies.of("127.0.0.0/8"));
        Guest.inside(node);
        node.reached.clear();
        return node;
    }

    private static int status(RoomNode node, HttpRequest.Builder request) {
        return node.send(request.header("Accept", "application/json")).statusCode();
    }

    private static HttpRequest.Builder preflight(RoomNode node, String path) {
        return node.at(path).header("Origin", "https://app.example.com")
                .header("Access-Control-Request-Method", "PUT").method("OPTIONS", BodyPublishers.noBody());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/robots.txt", "/favicon.ico", "/sitemap.xml", "/.well-known/acme-challenge/4j-aX_9",
            "/.well-known/security.txt", "/.well-known/oauth-authorization-server/tenant/a"})
    void publicFilesAndChallengesOfCertificatesDoNotWait(String path) {
        try (RoomNode node = node(RoomMatch.BUILT_IN_BYPASS)) {
            assertThat(status(node, node.at(path).GET())).isEqualTo(200);
            assertThat(status(node, node.at(path).method("HEAD", BodyPublishers.noBody()))).isEqualTo(200);
            assertThat(node.reached).hasSize(2).allMatch(line -> line.endsWith(path + " null null"));
            node.pass(1);
            assertThat(node.room().state().line().length()).isEqualTo(1);
        }
    }

    @Test
    void otherMethodsQueriesBodiesAndSpellingsWait() {
        try (RoomNode node = node(RoomMatch.BUILT_IN_BYPASS)) {
            for (String path : List.of("/robots.txt?a=b", "/.well-known/x?page=/tickets",
                    "/robots.txt/",
                    "/robots.txt;a=b", "/robots%2Etxt;a", "/.well-known%2Fx", "/.well-known;a/x", "/.well-known/%C3%A9",
                    "/.well-known/a%2525", "/a/.well-known/x", "/.well-known./x", "/robots.txt%20")) {
                assertThat(status(node, node.at(path).GET())).as(path).isIn(400, 503);
            }
            for (String method : List.of("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND")) {
                assertThat(status(node, node.at("/.well-known/x").method(method, BodyPublishers.noBody()))).as(method)
                        .isEqualTo(503);
            }
            assertThat(status(node, node.at("/robots.txt").method("GET", BodyPublishers.ofString("body"))))
                    .isEqualTo(503);
            assertThat(node.reached).isEmpty();
        }
    }

    @Test
    void onlyThePreflightOfABrowserPasses() {
        try (RoomNode node = node(RoomMatch.BUILT_IN_BYPASS)) {
            assertThat(status(node, preflight(node, "/api/x?a=b"))).isEqualTo(200);
            assertThat(status(node, node.at("/api/x").header("Origin", "https://a.example").method("OPTIONS",
                    BodyPublishers.noBody()))).isEqualTo(503);
            assertThat(status(node, node.at("/api/x").header("Access-Control-Request-Method", "PUT").method("OPTIONS",
                    BodyPublishers.noBody()))).isEqualTo(503);
            assertThat(status(node, preflight(node, "/api/x").method("OPTIONS", BodyPublishers.ofString("body"))))
                    .isEqualTo(503);
            assertThat(node.reached).hasSize(1);
        }
    }

    /** Requests of addresses, held by the origin until all of them may end. */
    private static List<CompletableFuture<HttpResponse<String>>> held(RoomNode node, CountDownLatch end,
            String... addresses) {
        node.originDoes(_ -> {
            try {
                assertThat(end.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
        for (String address : addresses) {
            held.add(node.client().sendAsync(node.at("/robots.txt").header("X-Forwarded-For", address).build(),
                    BodyHandlers.ofString()));
        }
        await().atMost(SOON).until(() -> node.reached.size() == addresses.length);
        return held;
    }

    @Test
    void oneAddressGetsHalfOfTheShareAndGivesItBack() {
        try (RoomNode node = node(4)) {
            CountDownLatch end = new CountDownLatch(1);
            List<CompletableFuture<HttpResponse<String>>> held = held(node, end, "192.0.2.1", "192.0.2.1");

            assertThat(status(node, node.at("/robots.txt").header("X-Forwarded-For", "192.0.2.1").GET()))
                    .isEqualTo(503);
            end.countDown();
            held.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
            await().atMost(SOON).until(() -> status(node, node.at("/robots.txt")
                    .header("X-Forwarded-For", "192.0.2.1").GET()) == 200);
        }
    }

    @Test
    void allAddressesTogetherGetTheShare() {
        try (RoomNode node = node(4)) {
            CountDownLatch end = new CountDownLatch(1);
            List<CompletableFuture<HttpResponse<String>>> held = held(node, end, "192.0.2.1", "192.0.2.1", "192.0.2.2",
                    "192.0.2.2");

            assertThat(status(node, node.at("/robots.txt").header("X-Forwarded-For", "192.0.2.3").GET()))
                    .isEqualTo(503);
            assertThat(status(node, preflight(node, "/api/x").header("X-Forwarded-For", "192.0.2.3"))).isEqualTo(503);
            end.countDown();
            held.forEach(answer -> assertThat(answer.join().statusCode()).isEqualTo(200));
            await().atMost(SOON).until(() -> status(node, preflight(node, "/api/x")
                    .header("X-Forwarded-For", "192.0.2.3")) == 200);
        }
    }

    @Test
    void aClientThatLeavesGivesItsPartBack() {
        try (RoomNode node = node(1)) {
            CountDownLatch end = new CountDownLatch(1);
            node.originDoes(_ -> {
                try {
                    assertThat(end.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            try (RawHttp raw = new RawHttp(node.edge.port())) {
                raw.send("GET /robots.txt HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
                await().atMost(SOON).until(() -> node.reached.size() == 1);
                assertThat(status(node, node.at("/robots.txt").GET())).isEqualTo(503);
            }
            node.originDoes(_ -> {});
            await().atMost(SOON).until(() -> status(node, node.at("/robots.txt").GET()) == 200);
            end.countDown();
        }
    }

    @Test
    void theRulesCanBeSwitchedOff() {
        try (RoomNode node = node(0)) {
            assertThat(status(node, node.at("/robots.txt").GET())).isEqualTo(503);
            assertThat(status(node, preflight(node, "/api/x"))).isEqualTo(503);
            assertThat(node.reached).isEmpty();
        }
    }
}
