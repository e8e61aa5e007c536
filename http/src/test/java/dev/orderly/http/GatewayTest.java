package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.flow.OriginTraffic;
import dev.orderly.http.gateway.ForwardLimits;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.gateway.Origin;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.web.edge.TrustedProxies;
import dev.orderly.web.message.Header;
import dev.orderly.web.path.PathGlob;
import dev.orderly.web.room.RoomGate;
import dev.orderly.web.route.ExchangeContext;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests as they reach an origin, and answers as they reach the client. */
@Timeout(150)
@SuppressWarnings("StringConcatToTextBlock") // the line ends of HTTP are part of what is tested
class GatewayTest {
    private static final HttpLimits ONE_LOOP = HttpLimits.DEFAULT
            .withCapacity(HttpLimits.Capacity.DEFAULT.withEventLoops(1));

    @Test
    void unroutedRequestsReachTheOriginWithPathQueryAndHost() {
        try (RawOrigin origin = RawOrigin.saying("hello"); Proxied edge = new Proxied(Proxied.to(origin))) {
            String answer = edge.get("/a/b%2fc?x=%2F&y", "Accept-Language: de\r\n");

            assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n").contains("Content-Length: 5")
                    .endsWith("\r\n\r\nhello");
            assertThat(origin.requests).singleElement().asString().startsWith(
                    "GET /a/b%2Fc?x=%2F&y HTTP/1.1\r\nHost: shop.example\r\n").contains("Accept-Language: de\r\n");
        }
    }

    @Test
    void aRouteTakesItsMethodOnlyAndThePathBelowOrderlyIsNeverForwarded() {
        try (RawOrigin origin = RawOrigin.saying("page"); Proxied edge = new Proxied(Proxied.to(origin))) {
            assertThat(edge.get("/mail", "")).endsWith("page");
            assertThat(edge.exchange("POST /x/..//%6dail HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                    + "Content-Length: 2\r\n\r\n{}")).startsWith("HTTP/1.1 202 ");
            assertThat(origin.requests).hasSize(1);
            for (String path : List.of("/.orderly", "/.orderly/x", "/%2eorderly/x", "//.Orderly/x", "/a/../.orderly",
                    "/.orderly;a/x", "/.orderly%2fx", "/%5c.orderly")) {
                assertThat(edge.get(path, "")).as(path).startsWith("HTTP/1.1 404 ").contains("unknown-path");
            }
            assertThat(edge.get("/.orderly\\x", "")).startsWith("HTTP/1.1 400 ");
            assertThat(edge.get("/a%2f../.orderly", "")).startsWith("HTTP/1.1 400 ");
            assertThat(edge.get("/a/..%2f.orderly", "")).startsWith("HTTP/1.1 400 ");
            assertThat(origin.requests).hasSize(1);
        }
    }

    @Test
    void theMostSpecificOriginWinsWhateverTheirOrder() {
        try (RawOrigin all = RawOrigin.saying("all");
                RawOrigin api = RawOrigin.saying("api");
                RawOrigin one = RawOrigin.saying("one");
                Proxied edge = new Proxied(Gateway.of(List.of(Origin.all(all.uri()),
                        new Origin(PathGlob.parse("/api/**"), api.uri(), Origin.Host.ORIGIN),
                        new Origin(PathGlob.parse("/api/v1"), one.uri(), Origin.Host.CLIENT))))) {
            assertThat(edge.get("/", "")).endsWith("all");
            assertThat(edge.get("/API/x", "")).endsWith("api");
            assertThat(edge.get("/ap%69/v1", "")).endsWith("one");
            assertThat(api.requests.getFirst()).contains("Host: 127.0.0.1:" + api.port() + "\r\n")
                    .contains("X-Forwarded-Host: shop.example\r\n");
        }
    }

    @Test
    void withoutAnOriginForItAPathIs404() {
        try (RawOrigin api = RawOrigin.saying("api");
                Proxied edge = new Proxied(Gateway.of(List.of(
                        new Origin(PathGlob.parse("/api/**"), api.uri(), Origin.Host.CLIENT))))) {
            assertThat(edge.get("/other", "")).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void aClientsClaimsAboutItselfDoNotReachTheOrigin() {
        try (RawOrigin origin = RawOrigin.saying("x"); Proxied edge = new Proxied(Proxied.to(origin))) {
            edge.get("/", """
                    X-Forwarded-For: 6.6.6.6\r
                    x-forwarded-proto: https\r
                    X_Forwarded_For: 6.6.6.6\r
                    X-Forwarded-Prefix: /evil\r
                    X-Real-IP: 6.6.6.6\r
                    Forwarded: for=6.6.6.6\r
                    Via: 1.1 evil\r
                    Orderly-Room: vip\r
                    Orderly_Visitor: root\r
                    """);

            assertThat(origin.requests.getFirst()).doesNotContain("6.6.6.6").doesNotContain("evil")
                    .doesNotContain("vip").doesNotContain("root")
                    .contains("X-Forwarded-For: 127.0.0.1\r\n", "X-Forwarded-Proto: http\r\n",
                            "X-Forwarded-Host: shop.example\r\n", "X-Forwarded-Port: 80\r\n", "Via: 1.1 orderly\r\n",
                            "Forwarded: for=127.0.0.1;host=\"shop.example\";proto=http\r\n");
        }
    }

    @Test
    void aTrustedProxysChainIsContinued() {
        try (RawOrigin origin = RawOrigin.saying("x");
                Proxied edge = new Proxied(Proxied.to(origin).withTrusted(TrustedProxies.of("127.0.0.0/8")))) {
            edge.get("/", "X-Forwarded-For: 2001:db8::7\r\nX-Forwarded-For: 9.9.9.9\r\nX-Forwarded-Proto: https\r\n"
                    + "Via: 2 cdn\r\n");

            assertThat(origin.requests.getFirst()).contains("X-Forwarded-For: 2001:db8::7, 9.9.9.9, 127.0.0.1\r\n",
                    "X-Forwarded-Proto: https\r\n", "X-Forwarded-Port: 443\r\n", "Via: 2 cdn, 1.1 orderly\r\n",
                    "Forwarded: for=\"[2001:db8::7]\", for=9.9.9.9, "
                            + "for=127.0.0.1;host=\"shop.example\";proto=https\r\n");
        }
    }

    @Test
    void headersOfOneHopEndHereBothWays() {
        try (RawOrigin origin = new RawOrigin((_, _) -> "HTTP/1.1 200 OK\r\nConnection: X-Secret, keep-alive\r\n"
                + "X-Secret: s\r\nKeep-Alive: timeout=5\r\nProxy-Authenticate: Basic\r\nUpgrade: h2c\r\nTrailer: T\r\n"
                + "Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "1\r\nx\r\n0\r\nT: t\r\n\r\n");
                Proxied edge = new Proxied(Proxied.to(origin))) {
            String answer = edge
                    .exchange("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nConnection: X-Hop, X-Forwarded-For\r\n"
                            + "X-Hop: h\r\nTE: trailers\r\nProxy-Authorization: p\r\nProxy-Connection: c\r\n"
                            + "Upgrade: h2c\r\n"
                            + "HTTP2-Settings: AAAA\r\nKeep-Alive: 5\r\nX-Kept: k\r\n\r\n");

            assertThat(origin.requests.getFirst()).contains("X-Kept: k", "X-Forwarded-For: 127.0.0.1")
                    .doesNotContainIgnoringCase("X-Hop").doesNotContainIgnoringCase("\nTE:")
                    .doesNotContainIgnoringCase("\nProxy-").doesNotContainIgnoringCase("\nUpgrade")
                    .doesNotContainIgnoringCase("HTTP2").doesNotContainIgnoringCase("\nKeep-Alive")
                    .doesNotContainIgnoringCase("\nConnection");
            assertThat(answer).contains("Set-Cookie: a=1\r\nSet-Cookie: b=2").doesNotContain("X-Secret")
                    .doesNotContainIgnoringCase("\nKeep-Alive").doesNotContain("Proxy-").doesNotContain("Upgrade")
                    .doesNotContain("Trailer").doesNotContain("T: t").endsWith("1\r\nx\r\n0\r\n\r\n");
        }
    }

    @Test
    void bodiesGoThroughWithTheirLengthOrInChunks() {
        try (RawOrigin origin = RawOrigin.saying("x"); Proxied edge = new Proxied(Proxied.to(origin))) {
            edge.exchange("PUT /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello");
            edge.exchange("PUT /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "5;ext=1\r\nhello\r\n0\r\nTrailer: gone\r\n\r\n");
            edge.exchange("PUT /c HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");

            assertThat(origin.requests.get(0)).containsIgnoringCase("Content-Length: 5\r\n").endsWith("\r\n\r\nhello");
            assertThat(origin.requests.get(1)).containsIgnoringCase("Transfer-Encoding: chunked\r\n")
                    .doesNotContainIgnoringCase("content-length").endsWith("\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
            assertThat(origin.requests.get(2)).containsIgnoringCase("Content-Length: 0\r\n").endsWith("\r\n\r\n");
        }
    }

    @Test
    void answersWithoutABodyKeepTheirBodyHeaders() {
        try (RawOrigin origin = new RawOrigin((head, _) -> head.startsWith("HEAD")
                ? "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n"
                : head.contains("/304")
                        ? "HTTP/1.1 304 Not Modified\r\nETag: \"e\"\r\nContent-Length: 9\r\n\r\n"
                        : "HTTP/1.1 204 No Content\r\n\r\n");
                Proxied edge = new Proxied(Proxied.to(origin));
                RawHttp raw = edge.connect()) {
            raw.send("HEAD /x HTTP/1.1\r\nHost: x\r\n\r\nGET /304 HTTP/1.1\r\nHost: x\r\n\r\n"
                    + "GET /204 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(raw.rest().replaceAll("(?i)connection: close\r\n", "")).isEqualTo(
                    "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\nHTTP/1.1 304 Not Modified\r\nETag: \"e\"\r\n"
                            + "Content-Length: 9\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n");
        }
    }

    @Test
    void connectionsToTheOriginAreKept() {
        try (RawOrigin origin = RawOrigin.saying("x");
                Proxied edge = new Proxied(Proxied.to(origin));
                RawHttp raw = edge.connect()) {
            for (int i = 0; i < 20; i++) {
                raw.send("GET / HTTP/1.1\r\nHost: h" + i + "\r\n\r\n");
                for (String line = raw.line(); !line.isEmpty(); line = raw.line()) {
                    assertThat(line).isNotEqualTo("Connection: close");
                }
                assertThat(raw.bytes(1)).isEqualTo("x");
            }
            assertThat(origin.connections).hasValue(1);
        }
    }

    @Test
    void aClosedKeptConnectionFailsNoRepeatableRequest() {
        AtomicBoolean first = new AtomicBoolean(true);
        try (RawOrigin origin = new RawOrigin((head, wire) -> {
            if (head.contains("/warm")) {
                wire.send(RawOrigin.ok("warm"));
                RawOrigin.readHead(wire); // the next request on this connection is never answered
                first.set(false);
                return "";
            }
            return RawOrigin.ok("again");
        }); Proxied edge = new Proxied(Proxied.to(origin), ONE_LOOP)) { // another loop has connections of its own
            assertThat(edge.get("/warm", "")).endsWith("warm");
            assertThat(edge.get("/x", "")).endsWith("again");
            assertThat(first).isFalse();
            assertThat(edge.get("/warm", "")).endsWith("warm");
            assertThat(edge.exchange("POST /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"))
                    .as("not repeated").satisfiesAnyOf(a -> assertThat(a).startsWith("HTTP/1.1 502 "),
                            a -> assertThat(a).endsWith("again")); // another kept connection may have been used
            assertThat(origin.requests.stream().filter(r -> r.startsWith("POST"))).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void handlersInFrontAddHeadersMeasureAndReceiveCommands() {
        OriginTraffic traffic = new OriginTraffic();
        List<String> commands = new CopyOnWriteArrayList<>();
        ExchangeContext additions = new ExchangeContext(
                List.of(new Header("Orderly-Room", "sale"), new Header("X-Own", "ours")),
                List.of(new Header("Set-Cookie", "pass=1")), traffic, null, commands::add);
        try (RawOrigin origin = new RawOrigin((head, _) -> head.contains("/bad")
                ? "HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"
                : "HTTP/1.1 200 OK\r\nSet-Cookie: own=1\r\nOrderly-Command: revoke\r\nContent-Length: 0\r\n\r\n");
                Proxied edge = new Proxied(Proxied.to(origin),
                        (request, next) -> next.match(request).with(additions))) {
            String answer = edge.get("/", "Orderly-Room: forged\r\nX-Own: theirs\r\n");
            assertThat(answer).contains("Set-Cookie: own=1", "Set-Cookie: pass=1").doesNotContain("Orderly-Command");
            assertThat(origin.requests.getFirst()).contains("Orderly-Room: sale\r\n", "X-Own: ours\r\n")
                    .doesNotContain("forged").doesNotContain("theirs");
            assertThat(commands).containsExactly("revoke");
            edge.get("/bad", "");
            OriginTraffic.Window window = traffic.take();
            assertThat(window.count()).isEqualTo(2);
            assertThat(window.failures()).isEqualTo(1);
            assertThat(window.p95()).isPositive().isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void anAnswerWithACookieOfOursHasNoCacheHeaderOfTheSite() {
        String caching = """
                Cache-Control: public, max-age=600\r
                Expires: Thu, 01 Jan 2099 00:00:00 GMT\r
                Pragma: public\r
                Age: 1\r
                CDN-Cache-Control: max-age=601\r
                Cloudflare-CDN-Cache-Control: max-age=602\r
                cdn-cache-control: max-age=603\r
                Surrogate-Control: max-age=604\r
                Surrogate-Key: page\r
                X-Accel-Expires: 605\r
                X-LiteSpeed-Cache-Control: public\r
                Edge-Control: cache-maxage=606s\r
                """;
        ExchangeContext pass = ExchangeContext.toAnswer(List.of(new Header("Cache-Control", "no-store"),
                new Header("Set-Cookie", "pass=1")));
        try (RawOrigin origin = new RawOrigin((_, _) -> "HTTP/1.1 200 OK\r\n" + caching + "X-Kept: 1\r\n"
                + "Content-Length: 0\r\n\r\n");
                Proxied plain = new Proxied(Proxied.to(origin));
                Proxied gated = new Proxied(Proxied.to(origin), (request, next) -> next.match(request).with(pass))) {
            assertThat(plain.get("/", "").lines()).containsAll(caching.lines().toList());
            String answer = gated.get("/", "");
            assertThat(answer.lines()).doesNotContainAnyElementsOf(caching.lines().toList());
            assertThat(answer).contains("X-Kept: 1", "Cache-Control: no-store", "Set-Cookie: pass=1");
        }
    }

    @Test
    void theSessionOfTheDashboardEndsAtTheEdgeWithAndWithoutRooms() {
        try (RawOrigin origin = RawOrigin.saying("x");
                Proxied edge = new Proxied(Proxied.to(origin));
                Proxied gated = new Proxied(Proxied.to(origin), new RoomGate(List.of()))) {
            for (Proxied each : List.of(edge, gated)) {
                each.get("/",
                        "Cookie: a=1; __Host-orderly_session=5ec; orderly_session=5ec; orderly_p_sale=5ec; b=2\r\n");
                assertThat(origin.requests.getLast()).contains("Cookie: a=1; b=2\r\n").doesNotContain("5ec");
            }
        }
    }

    @Test
    void anOriginThatIsDownIs502AsProblemOrAsPage() {
        RawOrigin gone = RawOrigin.saying("");
        gone.close();
        try (Proxied edge = new Proxied(Proxied.to(gone))) {
            assertThat(edge.get("/x", "")).startsWith("HTTP/1.1 502 ").contains("application/problem+json",
                    "problem:bad-gateway", "no-store");
            String page = edge.get("/x", "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n");
            assertThat(page).startsWith("HTTP/1.1 502 ").contains("text/html", "Nothing is wrong with your device",
                    "color-scheme", "Try again", "Content-Language: en", "Vary: Accept, Accept-Language")
                    .doesNotContain("src=").doesNotContain("127.0.0.1");
            assertThat(edge.get("/x", "Accept: text/html\r\nAccept-Language: de-CH\r\n"))
                    .contains("Die Website ist nicht erreichbar", "Content-Language: de");
            assertThat(edge.get("/x", "Accept: application/json, text/html;q=0.5\r\n")).contains("problem+json");
        }
        try (Proxied edge = new Proxied(Gateway.of(List.of(Origin.all(URI.create("http://no-such-host.invalid")))))) {
            assertThat(edge.get("/x", "")).startsWith("HTTP/1.1 502 ");
        }
    }

    @Test
    void anOriginThatDoesNotAnswerIs504AndItsConnectionIsEnded() {
        OriginTraffic traffic = new OriginTraffic();
        try (RawOrigin origin = new RawOrigin((_, wire) -> {
            RawOrigin.readHead(wire);
            return "";
        });
                Proxied edge = new Proxied(
                        Proxied.to(origin).withLimits(ForwardLimits.DEFAULT.withHead(Duration.ofMillis(300))),
                        (request, next) -> next.match(request)
                                .with(new ExchangeContext(List.of(), List.of(), traffic, null, _ -> {})))) {
            assertThat(edge.get("/x", "")).startsWith("HTTP/1.1 504 ").contains("gateway-timeout");
            await().until(() -> origin.requests.size() == 1);
            assertThat(traffic.take().failures()).isEqualTo(1);
        }
    }

    @Test
    void aFullPoolIs503WithRetryAfterAndDoesNotCountAsAFailureOfTheOrigin() {
        try (RawOrigin origin = new RawOrigin((_, wire) -> {
            RawOrigin.readHead(wire);
            return "";
        });
                Proxied edge = new Proxied(Proxied.to(origin).withLimits(ForwardLimits.DEFAULT
                        .withConnect(Duration.ofMillis(300))
                        .withShares(ForwardLimits.Shares.DEFAULT.withPages(new ForwardLimits.Share(2, 1, 3)))));
                RawHttp one = edge.connect();
                RawHttp two = edge.connect()) {
            one.send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\n");
            two.send("GET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> origin.requests.size() == 2);
            assertThat(edge.get("/3", "")).startsWith("HTTP/1.1 503 ").contains("Retry-After: ", "origin-busy");
            assertThat(origin.connections).hasValue(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"http://a/x,path", "ftp://a,http", "http://u@a,more", "http:///,host", "http://a?q,more"})
    void anOriginIsSchemeHostAndPort(String uri, String named) {
        assertThatThrownBy(() -> Origin.all(URI.create(uri))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(named).hasMessageContaining("http://127.0.0.1:9000");
    }

    @Test
    void equalOriginPatternsAndAHeadLimitBeyondTheIdleTimeAreRefused() {
        List<Origin> same = List.of(Origin.all(URI.create("http://a")), Origin.all(URI.create("http://b")));
        assertThatThrownBy(() -> Gateway.of(same)).hasMessageContaining("both match /**");
        try (Proxied edge = new Proxied(Gateway.NONE)) {
            Gateway slow = Gateway.of(List.of(Origin.all(URI.create("http://a"))))
                    .withLimits(ForwardLimits.DEFAULT.withHead(Duration.ofMinutes(5)));
            assertThatThrownBy(() -> new Proxied(slow)).hasMessageContaining("head limit shorter than idle");
            assertThat(edge.get("/x", "")).startsWith("HTTP/1.1 404 ");
        }
        assertThat(HttpLimits.DEFAULT.idle()).isGreaterThan(ForwardLimits.DEFAULT.head());
    }
}
