package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.gateway.ForwardLimits;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpLimits.Capacity;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and answers that two servers could read differently: the edge forwards none of them. */
@Timeout(150)
@SuppressWarnings("StringConcatToTextBlock") // the line ends of HTTP are part of what is tested
class GatewayGuardsTest {
    private static final HttpLimits QUICK = HttpLimits.DEFAULT.withHead(Duration.ofMillis(700))
            .withAnswer(Duration.ofMillis(1_000)).withIdle(Duration.ofMillis(1_200))
            .withCapacity(new Capacity(50, 50, 1 << 20, 16 << 10, 8 << 10));
    private final RawOrigin origin = new RawOrigin((head, wire) -> {
        int at = head.indexOf("X-Say: ");
        if (at < 0) {
            return RawOrigin.ok("x");
        }
        wire.send(bytes(head.substring(at + 7, head.indexOf('\r', at))));
        return "";
    });
    private final Proxied edge = new Proxied(Proxied.to(origin)
            .withLimits(ForwardLimits.DEFAULT.withHead(Duration.ofSeconds(1))), QUICK);

    @AfterEach
    void close() {
        edge.close();
        origin.close();
    }

    private static String bytes(String text) {
        return text.replace("\\r", "\r").replace("\\n", "\n").replace("\\0", "\0");
    }

    /** All answers to these bytes, until the edge closes the connection. */
    private String send(String request) {
        try (RawHttp raw = edge.connect()) {
            raw.offer(request);
            return raw.rest();
        }
    }

    private List<String> whole() {
        return origin.requests.stream().filter(request -> !request.endsWith("<cut>")).toList();
    }

    /** Each contains a second request that a lenient reader would find. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "Content-Length: 5\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: chunked\\r\\nContent-Length: 5\\r\\n\\r\\n0\\r\\n\\r\\n",
            "Content-Length: 5\\r\\nContent-Length: 6\\r\\n\\r\\nhello",
            "Content-Length: 5\\r\\nContent-Length: 5\\r\\n\\r\\nhello",
            "Content-Length: 5, 5\\r\\n\\r\\nhello", "Content-Length: +5\\r\\n\\r\\nhello",
            "Content-Length: -1\\r\\n\\r\\nhello", "Content-Length: 0x5\\r\\n\\r\\nhello",
            "Content-Length: 5 5\\r\\n\\r\\nhello",
            "Content-Length:\\r\\n\\r\\nhello", "Transfer-Encoding: gzip\\r\\n\\r\\nhello",
            "Transfer-Encoding: xchunked\\r\\n\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: chunked, gzip\\r\\n\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: chunked, chunked\\r\\n\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: \\0chunked\\r\\n\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding : chunked\\r\\n\\r\\n0\\r\\n\\r\\n", "Content-Length : 5\\r\\n\\r\\nhello",
            "Transfer-Encoding: chunked\\r\\n\\r\\nzz\\r\\nhello\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: chunked\\r\\n\\r\\n-5\\r\\nhello\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: chunked\\r\\n\\r\\n10000000000000005\\r\\nhello\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nhelloXX0\\r\\n\\r\\n",
            "X: a\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n", "X: a\\rY: b\\r\\n\\r\\n",
            "X: a\\0b\\r\\n\\r\\n",
            "Bad Name: x\\r\\n\\r\\n", ": x\\r\\n\\r\\n", "(x): y\\r\\n\\r\\n"})
    void ambiguousFramingDoesNotReachTheOrigin(String rest) {
        String answer = send("POST /p HTTP/1.1\r\nHost: a\r\n" + bytes(rest)
                + "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n");

        assertThat(answer).doesNotContain("HTTP/1.1 200").satisfiesAnyOf(a -> assertThat(a).isEmpty(),
                a -> assertThat(a).startsWith("HTTP/1."));
        assertThat(whole()).isEmpty();
        assertThat(origin.requests).noneMatch(request -> request.contains("smuggled"));
    }

    /** These have one reading only, and are forwarded in the plainest form. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"Transfer-Encoding: Chunked\\r\\n\\r\\n5;a=b\\r\\nhello\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: chunked\\r\\n\\r\\n2\\r\\nhe\\r\\n003\\r\\nllo\\r\\n00\\r\\nX: y\\r\\n\\r\\n"})
    void unusualButUnambiguousFramingIsForwardedInPlainForm(String rest) {
        send("POST /p HTTP/1.1\r\nHost: a\r\n" + bytes(rest));

        await().untilAsserted(() -> assertThat(whole()).singleElement().asString()
                .containsIgnoringCase("transfer-encoding: chunked\r\n").doesNotContain("a=b").doesNotContain("X: y")
                .matches("(?s).*\r\n\r\n(5\r\nhello|2\r\nhe\r\n3\r\nllo)\r\n0\r\n\r\n"));
    }

    @Test
    void aFoldedHeaderIsRefusedOrUnfolded() {
        send("GET /p HTTP/1.1\r\nHost: a\r\nX: one\r\n two\r\n\r\n");

        assertThat(origin.requests).allSatisfy(request -> assertThat(request).contains("X: one two\r\n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"GET /p HTTP/1.1\\r\\n\\r\\n|400",
            "GET /p HTTP/1.1\\r\\nHost: a\\r\\nHost: b\\r\\n\\r\\n|400",
            "GET http://evil/p HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n|400", "GET /p HTTP/1.1\\r\\nHost: a/b\\r\\n\\r\\n|400",
            "GET /%00 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n|400", "GET /%0d%0aX HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n|400",
            "GET /%zz HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n|400", "GET /%C3%28 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n|400",
            "GET /\u00e9 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n|400", "GET /?\u00e9 HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n|400",
            "GET /p#f HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n|400", "GET p HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n|400",
            "CONNECT b:80 HTTP/1.1\\r\\nHost: b:80\\r\\n\\r\\n|405", "CONNECT /p HTTP/1.1\\r\\nHost: b\\r\\n\\r\\n|405",
            "TRACE / HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n|405",
            "POST /p HTTP/1.0\\r\\nHost: a\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n|400"})
    void aRequestForAnotherSiteOrWithAnAmbiguousPathIsRefused(String request, int status) {
        assertThat(send(bytes(request))).startsWith("HTTP/1.").contains(" " + status + " ");
        assertThat(origin.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/9.9", "HTTP/2.0", "HTTP/1.2", "HTTP/x"})
    void unsupportedVersionsAreRefused(String version) {
        assertThat(send("GET /p " + version + "\r\nHost: a\r\n\r\n")).doesNotContain(" 200 ");
        assertThat(origin.requests).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"/a/b/../../c,/c", "/a/%2e%2e/c,/c", "/../../c,/c", "/a/.%2E/c/.,/c/", "//a///b,/a/b",
            "/%41%7e%2d,/A~-",
            "/a%2fb%c3%a9,/a%2Fb%C3%A9", "/.,/", "/a/..,/", "http://SHOP.example/x,/x"})
    void theOriginGetsTheNormalFormOfAPath(String sent, String got) {
        edge.get(sent, "");

        assertThat(origin.requests).singleElement().asString().startsWith("GET " + got + " HTTP/1.1\r\n");
    }

    @Test
    void headsOverTheirLimitsAreRefused() {
        assertThat(send("GET /p HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(64 << 10) + "\r\n\r\n")).contains(" 431 ");
        assertThat(send("GET /" + "x".repeat(16 << 10) + " HTTP/1.1\r\nHost: a\r\n\r\n")).contains(" 414 ");
        assertThat(origin.requests).isEmpty();
    }

    @Test
    void aHeadThatDripsIsCutOff() {
        try (RawHttp raw = edge.connect()) {
            raw.send("GET /p HTTP/1.1\r\nHost: a\r\nX: ");
            await().pollInterval(Duration.ofMillis(50)).until(() -> !raw.offer("a"));
        }
        assertThat(origin.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\nContent-Length: 2\\r\\n\\r\\nxy",
            "HTTP/1.1 200 OK\\r\\nContent-Length: -1\\r\\n\\r\\nx",
            "HTTP/1.1 200 OK\\r\\nContent-Length: 1, 2\\r\\n\\r\\nx",
            "HTTP/9.9 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\nx", "hello\\r\\n\\r\\n", "HTTP/1.1 102 Wait\\r\\n\\r\\n",
            "HTTP/1.1 101 Switch\\r\\nConnection: Upgrade\\r\\nUpgrade: x\\r\\n\\r\\n", "HTTP/1.1 200 OK\\r\\nX: y"})
    void anAnswerThatIsNotPlainHttpIs502(String answer) {
        assertThat(edge.get("/x", "X-Say: " + answer + "\r\n")).startsWith("HTTP/1.1 502 ").contains("bad-gateway");
    }

    @Test
    void anAnswerWithBadChunksIsNeverComplete() {
        for (String chunks : List.of("zz\\r\\nx\\r\\n0\\r\\n\\r\\n", "5\\r\\nhelloXX0\\r\\n\\r\\n")) {
            assertThat(edge.get("/x", "X-Say: HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n" + chunks
                    + "\r\n")).doesNotEndWith("0\r\n\r\n");
        }
    }

    @Test
    void bytesAfterAnAnswerNeverReachAnotherVisitor() {
        assertThat(edge.get("/x", "X-Say: HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\n\\r\\nxHTTP/1.1 200 OK\\r\\n"
                + "Content-Length: 4\\r\\n\\r\\nevil\r\n")).endsWith("\r\n\r\nx");
        assertThat(edge.get("/y", "")).endsWith("\r\n\r\nx").doesNotContain("evil");
    }
}
