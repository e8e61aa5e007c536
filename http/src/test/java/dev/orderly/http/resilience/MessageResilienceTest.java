package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.Proxied;
import dev.orderly.http.RawHttp;
import dev.orderly.http.RawOrigin;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.RequestRouter;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients and origins whose messages end elsewhere than they say, or are followed by more. */
@Timeout(150)
@SuppressWarnings("StringConcatToTextBlock") // the line ends of HTTP are part of what is tested
class MessageResilienceTest {
    private static final String POST = "POST /two HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}";

    @ParameterizedTest
    @ValueSource(strings = {"POST /room HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
            "GET /room HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "GET /room HTTP/1.0\r\nHost: a\r\n\r\n"})
    void nothingIsServedBehindAnAnswerThatClosesItsConnection(String first) {
        try (RawOrigin origin = RawOrigin.saying("x");
                Proxied edge = new Proxied(Proxied.to(origin),
                        (request, next) -> request.path().wire().equals("/room")
                                ? new RequestRouter.Match.Immediate(Response.text(503, "wait"))
                                : next.match(request))) {
            for (int i = 0; i < 20; i++) {
                assertThat(edge.exchange(first + POST)).contains(" 503 ").doesNotContain(" 200 ");
            }
            assertThat(origin.requests).isEmpty();
        }
    }

    /** What an origin sends beyond its answer, on each second connection-free request. */
    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxJUNK", "HTTP/1.1 204 No Content\r\n\r\nhello",
            "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello", "HTTP/1.1 304 Not Modified\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 O"})
    void bytesBehindAnAnswerCostTheNextVisitorNothing(String answer) {
        AtomicInteger asked = new AtomicInteger();
        try (RawOrigin origin = new RawOrigin(
                (_, _) -> asked.incrementAndGet() % 2 == 1 ? answer : RawOrigin.ok("mine"));
                Proxied edge = new Proxied(Proxied.to(origin))) {
            for (int i = 0; i < 10; i++) {
                assertThat(edge.get("/a", "")).startsWith(answer.substring(0, 12)).doesNotContain("evil", "JUNK");
                assertThat(edge
                        .exchange("POST /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"))
                        .startsWith("HTTP/1.1 200 ").endsWith("mine");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {102, 104, 199})
    void interimAnswersNobodyWaitsForArePassedOver(int status) {
        try (RawOrigin origin = new RawOrigin((_, wire) -> {
            wire.send("HTTP/1.1 " + status + " Wait\r\nX: y\r\n\r\n");
            wire.send("HTTP/1.1 " + status + " Wait\r\n\r\n");
            return RawOrigin.ok("done");
        }); Proxied edge = new Proxied(Proxied.to(origin))) {
            assertThat(edge.get("/a", "")).startsWith("HTTP/1.1 200 ").endsWith("done");
            assertThat(edge.get("/b", "")).startsWith("HTTP/1.1 200 ").endsWith("done");
        }
    }

    @Test
    void anAnswerInACodingThatWasNotAskedForIs502() {
        try (RawOrigin origin = new RawOrigin((_, wire) -> {
            wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n\u001f\u008b");
            return "";
        }); Proxied edge = new Proxied(Proxied.to(origin))) {
            assertThat(edge.get("/a", "")).startsWith("HTTP/1.1 502 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"zz\r\n", "5\r\nhelloXX0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n", "10000000000000005\r\nhello"})
    void brokenChunksAreAnswered400(String chunks) {
        try (RawOrigin origin = RawOrigin.saying("x"); Proxied edge = new Proxied(Proxied.to(origin))) {
            for (String path : new String[]{"/p", "/mail"}) {
                assertThat(RawHttp.status(edge.port(), "POST " + path
                        + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)).isEqualTo(400);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTP/1.1", "HTTP/9.9", "HTTP/1.2", "HTTP/2.0"})
    void anUnknownVersionIsAnsweredInOurOwn(String version) {
        try (RawOrigin origin = RawOrigin.saying("x"); Proxied edge = new Proxied(Proxied.to(origin))) {
            assertThat(edge.exchange("GET / " + version + "\r\nHost: a\r\n\r\n")).startsWith("HTTP/1.1 505 ");
            assertThat(origin.requests).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Proxy", "X-Original-URL", "X-Rewrite-URL", "True-Client-IP", "Orderly.Visitor",
            "Orderly_Visitor", "X.Forwarded.For", "X_Forwarded_For", "x.real_ip", "CF-Connecting-IP", "X-Client-IP",
            "X-Original-Host", "X-Forwarded", "Client-IP"})
    void whatOnlyThisEdgeMaySayDoesNotReachTheOrigin(String name) {
        try (RawOrigin origin = RawOrigin.saying("x"); Proxied edge = new Proxied(Proxied.to(origin))) {
            edge.get("/p", name + ": evil\r\nX-Own_Header.1: kept\r\n");
            assertThat(origin.requests).singleElement().asString().doesNotContain("evil")
                    .contains("X-Own_Header.1: kept");
        }
    }
}
