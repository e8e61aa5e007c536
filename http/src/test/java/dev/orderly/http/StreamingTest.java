package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.gateway.ForwardLimits;
import dev.orderly.http.listener.HttpLimits;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Large, slow and broken bodies through the edge, and WebSockets. */
@Tag("slow")
@Timeout(150)
@SuppressWarnings("StringConcatToTextBlock") // the line ends of HTTP are part of what is tested
class StreamingTest {
    private static final long HUNDRED_MIB = 100L << 20;
    private static final byte[] BLOCK = "0123456789abcdef".repeat(4_096).getBytes(StandardCharsets.US_ASCII);

    private static void wait(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long countToEnd(InputStream in) throws IOException {
        byte[] buffer = new byte[65_536];
        long count = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            count += n;
        }
        return count;
    }

    /** An origin that sends 100 MiB, and counts the bytes sent so far. */
    private static RawOrigin large(AtomicLong sent) {
        return new RawOrigin((_, wire) -> {
            wire.send("HTTP/1.1 200 OK\r\nContent-Length: " + HUNDRED_MIB + "\r\n\r\n");
            while (sent.get() < HUNDRED_MIB) {
                wire.out().write(BLOCK);
                sent.addAndGet(BLOCK.length);
            }
            wire.out().flush();
            RawOrigin.readHead(wire);
            return "";
        });
    }

    @Test
    void aPausedReaderPausesTheOriginAndLosesNothing() throws IOException {
        AtomicLong sent = new AtomicLong();
        try (RawOrigin origin = large(sent);
                Proxied edge = new Proxied(Proxied.to(origin));
                Socket client = new Socket(InetAddress.getLoopbackAddress(), edge.port())) {
            client.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            AtomicLong before = new AtomicLong(-1);
            await().pollInterval(Duration.ofMillis(300)).until(() -> before.getAndSet(sent.get()) == sent.get());
            assertThat(sent.get()).as("bytes held by sockets and edge").isLessThan(30L << 20);
            assertThat(countToEnd(client.getInputStream())).isBetween(HUNDRED_MIB, HUNDRED_MIB + 500);
        }
    }

    @Test
    void aPausedOriginPausesTheSenderAndLosesNothing() throws IOException {
        CountDownLatch go = new CountDownLatch(1);
        AtomicLong got = new AtomicLong();
        try (RawOrigin origin = new RawOrigin((_, wire) -> {
            wait(go);
            for (long left = HUNDRED_MIB; left > 0;) {
                int n = wire.in().read(new byte[65_536]);
                left -= n;
                got.addAndGet(n);
            }
            return RawOrigin.ok("thanks");
        });
                Proxied edge = new Proxied(Proxied.to(origin));
                Socket client = new Socket(InetAddress.getLoopbackAddress(), edge.port())) {
            AtomicLong sent = new AtomicLong();
            // Expect keeps the test's origin from reading the body automatically
            client.getOutputStream().write(("PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: "
                    + HUNDRED_MIB + "\r\nExpect: 100-continue\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                try {
                    while (sent.get() < HUNDRED_MIB) {
                        client.getOutputStream().write(BLOCK);
                        sent.addAndGet(BLOCK.length);
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            AtomicLong before = new AtomicLong(-1);
            await().pollDelay(Duration.ofMillis(1_500)).pollInterval(Duration.ofMillis(300))
                    .until(() -> before.getAndSet(sent.get()) == sent.get());
            assertThat(sent.get()).isLessThan(30L << 20);
            go.countDown();
            sending.join();
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK").endsWith("thanks");
            assertThat(got).hasValue(HUNDRED_MIB);
        }
    }

    @Test
    void aClientThatGoesAwayEndsTheRequestToTheOrigin() {
        try (RawOrigin origin = new RawOrigin((_, wire) -> {
            wire.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            return RawOrigin.readHead(wire).isEmpty() ? "-" : "";
        }); Proxied edge = new Proxied(Proxied.to(origin))) {
            try (RawHttp raw = edge.connect()) {
                raw.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(raw.line()).contains("200");
            }
            await().untilAsserted(() -> assertThat(origin.closed).hasValue(1));
        }
    }

    @Test
    void anAbortedBodyIsNeverACompleteRequest() {
        try (RawOrigin origin = RawOrigin.saying("x"); Proxied edge = new Proxied(Proxied.to(origin))) {
            try (RawHttp raw = edge.connect()) {
                raw.send("PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "20000\r\n" + "x".repeat(0x20000) + "\r\n");
                await().until(() -> origin.requests.size() == 1);
            }
            await().untilAsserted(() -> assertThat(origin.requests.getFirst()).endsWith("<cut>"));
        }
    }

    @Test
    void anAbortedAnswerIsNeverComplete() {
        try (RawOrigin origin = new RawOrigin((head, wire) -> {
            wire.send(head.contains("/length")
                    ? "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"
                    : "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            return "";
        }); Proxied edge = new Proxied(Proxied.to(origin))) {
            assertThat(edge.get("/length", "")).satisfiesAnyOf(
                    answer -> assertThat(answer).contains("Content-Length: 10\r\n").endsWith("\r\n\r\nhello"),
                    answer -> assertThat(answer).startsWith("HTTP/1.1 502 "), answer -> assertThat(answer).isEmpty());
            assertThat(edge.get("/chunks", "")).doesNotEndWith("0\r\n\r\n");
        }
    }

    @Test
    void anAnswerThatEndsWithItsConnectionIsComplete() {
        try (RawOrigin origin = new RawOrigin((_, wire) -> {
            wire.send("HTTP/1.1 200 OK\r\n\r\nhello");
            return "";
        }); Proxied edge = new Proxied(Proxied.to(origin))) {
            assertThat(edge.get("/", "")).endsWith("5\r\nhello\r\n0\r\n\r\n");
            assertThat(edge.exchange("GET / HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n"))
                    .doesNotContainIgnoringCase("chunked").endsWith("\r\n\r\nhello");
        }
    }

    @Test
    void theOriginDecidesOnAnExpectation() {
        try (RawOrigin origin = new RawOrigin((head, wire) -> {
            if (head.contains("/no")) {
                return "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno";
            }
            if (head.contains("/yes")) {
                wire.send("HTTP/1.1 100 Continue\r\n\r\n");
            }
            return RawOrigin.ok(RawOrigin.body(head, wire.in()));
        }); Proxied edge = new Proxied(Proxied.to(origin))) {
            for (String path : new String[]{"/yes", "/silent"}) {
                try (RawHttp raw = edge.connect()) {
                    raw.send("PUT " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n"
                            + "Expect: 100-continue\r\n\r\n");
                    assertThat(raw.line()).isEqualTo("HTTP/1.1 100 Continue");
                    raw.send("hello");
                    assertThat(raw.rest()).contains("HTTP/1.1 200 OK").endsWith("hello");
                }
            }
            assertThat(
                    edge.exchange("PUT /no HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n"))
                    .startsWith("HTTP/1.1 403 ").containsIgnoringCase("connection: close").endsWith("no");
            assertThat(edge.exchange("PUT /x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: wonders\r\n\r\n"))
                    .startsWith("HTTP/1.1 417 ");
        }
    }

    @Test
    void earlyHintsAreForwarded() {
        try (RawOrigin origin = new RawOrigin((_, wire) -> {
            wire.send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nConnection: X-No\r\nX-No: 1\r\n\r\n");
            return RawOrigin.ok("x");
        }); Proxied edge = new Proxied(Proxied.to(origin))) {
            assertThat(edge.get("/", ""))
                    .startsWith("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK");
        }
    }

    @Test
    void aBodyOverTheLimitIs413WhetherItsLengthIsKnownOrNot() {
        try (RawOrigin origin = RawOrigin.saying("x");
                Proxied edge = new Proxied(Proxied.to(origin)
                        .withLimits(ForwardLimits.DEFAULT.withBodyBytes(10)))) {
            assertThat(edge.exchange("PUT /k HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\nhello world"))
                    .startsWith("HTTP/1.1 413 ");
            assertThat(origin.requests).isEmpty();
            assertThat(edge.exchange("PUT /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "6\r\nhello \r\n5\r\nworld\r\n0\r\n\r\n")).startsWith("HTTP/1.1 413 ");
            assertThat(origin.requests).noneMatch(request -> request.endsWith("0\r\n\r\n"));
            assertThat(
                    edge.exchange("PUT /k HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello"))
                    .startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void aReaderThatReadsNothingIsCutOffAfterTheIdleTime() {
        AtomicLong sent = new AtomicLong();
        try (RawOrigin origin = large(sent);
                Proxied edge = new Proxied(Proxied.to(origin).withLimits(
                        ForwardLimits.DEFAULT.withHead(Duration.ofMillis(500))),
                        HttpLimits.DEFAULT
                                .withAnswer(Duration.ofMillis(400)).withIdle(Duration.ofMillis(900)));
                RawHttp raw = edge.connect()) {
            raw.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(origin.closed).hasValue(1));
            assertThat(sent.get()).isLessThan(HUNDRED_MIB);
        }
    }

    private static final String UPGRADE = "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\n"
            + "Upgrade: WebSocket\r\nSec-WebSocket-Key: k\r\n\r\n";

    private static String headOf(RawHttp raw) {
        StringBuilder head = new StringBuilder();
        for (String line = raw.line(); !line.isEmpty(); line = raw.line()) {
            head.append(line).append('\n');
        }
        return head.toString();
    }

    @Test
    void aWebSocketWorksBothWaysBeyondTheIdleTimeOfRequests() {
        try (RawOrigin origin = RawOrigin.echo();
                Proxied edge = new Proxied(Proxied.to(origin).withLimits(ForwardLimits.DEFAULT
                        .withHead(Duration.ofMillis(1_400))), HttpLimits.DEFAULT.withAnswer(Duration.ofMillis(1_400))
                                .withIdle(Duration.ofMillis(1_500)))) {
            try (RawHttp raw = edge.connect()) {
                raw.send(UPGRADE);
                assertThat(headOf(raw)).startsWith("HTTP/1.1 101 ").contains("Sec-WebSocket-Accept: a");
                assertThat(raw.bytes(3)).isEqualTo("hi!");
                raw.send("ping");
                assertThat(raw.bytes(4)).isEqualTo("ping");
                await().pollDelay(Duration.ofMillis(2_300)).until(() -> raw.offer("late"));
                assertThat(raw.bytes(4)).isEqualTo("late");
                String large = "x".repeat(3_000_000);
                CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> raw.send(large));
                assertThat(raw.bytes(3_000_000)).isEqualTo(large);
                sending.join();
                assertThat(origin.requests.getFirst()).containsIgnoringCase("\nUpgrade: websocket")
                        .contains("Sec-WebSocket-Key: k");
            }
            await().untilAsserted(() -> assertThat(origin.closed).hasValue(1));
        }
    }

    @Test
    void anIdleWebSocketEndsAndTheNumberOfWebSocketsIsBounded() {
        try (RawOrigin origin = RawOrigin.echo();
                Proxied edge = new Proxied(Proxied.to(origin).withLimits(ForwardLimits.DEFAULT
                        .withWebSocket(Duration.ofMillis(1_500)).withShares(
                                ForwardLimits.Shares.DEFAULT.withTunnels(new ForwardLimits.Share(1, 0, 1)))))) {
            try (RawHttp one = edge.connect(); RawHttp two = edge.connect()) {
                one.send(UPGRADE);
                assertThat(one.line()).contains("101");
                two.send(UPGRADE);
                assertThat(two.line()).contains("503");
                assertThat(one.rest()).endsWith("hi!");
            }
            await().untilAsserted(() -> {
                try (RawHttp three = edge.connect()) {
                    three.send(UPGRADE);
                    assertThat(three.line()).contains("101");
                }
            });
        }
    }

    @Test
    void closedWebSocketsGiveBackTheirConnections() {
        HttpLimits few = HttpLimits.DEFAULT
                .withCapacity(new HttpLimits.Capacity(4, 100, 1 << 20, 16 << 10, 8 << 10));
        try (RawOrigin origin = RawOrigin.echo(); Proxied edge = new Proxied(Proxied.to(origin), few)) {
            for (int n = 1; n <= 12; n++) {
                try (RawHttp raw = edge.connect()) {
                    raw.send(UPGRADE);
                    assertThat(raw.line()).contains("101");
                }
                int closed = n;
                await().untilAsserted(() -> assertThat(origin.closed).hasValue(closed));
            }
        }
    }

    @Test
    void anUpgradeRefusedByTheOriginIsAnAnswer() {
        try (RawOrigin origin = RawOrigin.echo();
                Proxied edge = new Proxied(Proxied.to(origin));
                RawHttp raw = edge.connect()) {
            raw.send(UPGRADE.replace("/ws", "/no"));
            assertThat(headOf(raw)).startsWith("HTTP/1.1 403 ");
            assertThat(raw.bytes(2)).isEqualTo("no");
            raw.send(UPGRADE);
            assertThat(raw.line()).contains("101");
        }
    }
}
