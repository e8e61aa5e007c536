package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ClientKeys;
import dev.orderly.http.listener.Clients;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpLimits.Capacity;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.web.message.EventStream;
import dev.orderly.web.message.Header;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.route.Endpoint;
import dev.orderly.web.route.ExchangeContext;
import dev.orderly.web.route.RequestRouter.Match;
import dev.orderly.web.route.RouteTable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The kinds of match of a router, as clients see them. */
@Timeout(150)
class SiteMatchTest {
    private static final HttpLimits LIMITS = HttpLimits.DEFAULT.withAnswer(Duration.ofMillis(700))
            .withIdle(Duration.ofMillis(1_200)).withStop(Duration.ofSeconds(5))
            .withCapacity(new Capacity(50, 2, 100_000, 4_096, 2_048));
    private final RouteTable routes = new RouteTable(List.of(
            new Endpoint("POST", dev.orderly.web.path.PathTemplate.parse("/echo"), _ -> new Endpoint.BodyLimit(100,
                    new dev.orderly.web.problem.Problem(ProblemType.TOO_LARGE, "100 bytes at most")),
                    java.util.Map.of(),
                    call -> Response.text(200, new String(call.body(), StandardCharsets.UTF_8)))));
    private final CompletableFuture<Match> later = new CompletableFuture<>();
    private final List<EventStream> streams = new CopyOnWriteArrayList<>();
    private final AtomicInteger closed = new AtomicInteger();
    private HttpListener listener = listener(LIMITS);

    private HttpListener listener(HttpLimits limits) {
        return new HttpListener("test", BindAddress.loopback(0), limits, Clients.by(ClientKeys.PEERS),
                _ -> head -> {
                    Match match = switch (head.path()) {
                        case "/now" ->
                            new Match.Immediate(Response.text(200, "now").withHeader("Cache-Control", "max-age=1")
                                    .addHeader("Set-Cookie", "a=1").addHeader("Set-Cookie", "b=2"));
                        case "/later" -> new Match.Deferred(later);
                        case "/later-echo" ->
                            new Match.Deferred(later.thenApply(_ -> routes.match(head.withPath("/echo"))));
                        case "/full" -> new Match.Opened(List.of(new Header("X-Kind", "sse")), stream -> {
                            stream.onClose(closed::incrementAndGet);
                            stream.write(bytes(":\n\n"));
                            throw new ProblemException(ProblemType.TOO_MANY_STREAMS, "Full");
                        });
                        case "/events" -> new Match.Opened(List.of(new Header("X-Kind", "sse")), stream -> {
                            stream.onClose(closed::incrementAndGet);
                            streams.add(stream);
                        });
                        default -> routes.match(head);
                    };
                    return match.with(ExchangeContext.toAnswer(List.of(new Header("X-Added", "1"))))
                            .with(ExchangeContext.toAnswer(List.of(new Header("X-Added", "2"))));
                });
    }

    @BeforeEach
    void start() {
        listener.start();
    }

    private void restart(HttpLimits limits) {
        listener.close();
        listener = listener(limits);
        listener.start();
    }

    @AfterEach
    void close() {
        listener.close();
    }

    private RawHttp connect() {
        return new RawHttp(listener.port());
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    private static String closing(String method, String path, String rest) {
        return method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + rest;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void anImmediateAnswerKeepsItsHeadersAndGetsAdditions() {
        try (RawHttp raw = connect()) {
            raw.send(get("/now") + closing("HEAD", "/now", "\r\n"));
            String both = raw.rest();
            assertThat(both.split("Set-Cookie: ", -1)).hasSize(5);
            assertThat(both).contains("Set-Cookie: a=1\r\nSet-Cookie: b=2", "Cache-Control: max-age=1",
                    "X-Added: 2\r\nX-Added: 1", "Date: ").doesNotContain("no-store").endsWith("\r\n\r\n");
        }
    }

    @Test
    void anImmediateAnswerDoesNotWaitForABodyAndIsNotMistakenForTheNextOne() {
        try (RawHttp raw = connect()) {
            raw.send("POST /now HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\n" + get("/no"));
            assertThat(raw.rest()).startsWith("HTTP/1.1 200 ").containsIgnoringCase("Connection: close")
                    .containsOnlyOnce("HTTP/1.1");
        }
    }

    @Test
    void aDecisionMayComeLaterAndFromAnotherThread() {
        try (RawHttp raw = connect()) {
            raw.send(closing("POST", "/later-echo", "Content-Length: 5\r\n\r\nhello"));
            Thread.ofVirtual().start(() -> later.complete(new Match.Immediate(Response.empty(204))));
            assertThat(raw.rest()).startsWith("HTTP/1.1 200 ").contains("X-Added: 1").endsWith("hello");
        }
    }

    @Test
    void aFailedDecisionBecomesAProblem() {
        later.completeExceptionally(new ProblemException(ProblemType.FORBIDDEN, "not you"));
        try (RawHttp raw = connect()) {
            raw.send(closing("GET", "/later", "\r\n"));
            assertThat(raw.rest()).startsWith("HTTP/1.1 403 ").contains("not you");
        }
    }

    @Test
    void aMissingDecisionIs503AndGivesBackItsCapacity() {
        for (int i = 0; i < 3; i++) {
            try (RawHttp one = connect(); RawHttp two = connect()) {
                one.send(get("/later"));
                two.send(get("/later"));
                await().untilAsserted(() -> {
                    try (RawHttp full = connect()) {
                        full.send(get("/later"));
                        assertThat(full.line()).contains("503");
                    }
                });
                assertThat(one.line()).contains("503");
                assertThat(two.line()).contains("503");
            }
        }
        later.complete(new Match.Immediate(Response.empty(204)));
        assertThat(RawHttp.status(listener.port(), get("/later"))).isEqualTo(204);
    }

    @Test
    void aClientThatLeavesWhileItWaitsGivesBackItsCapacity() {
        restart(HttpLimits.DEFAULT.withIdle(Duration.ofMinutes(10)).withAnswer(Duration.ofMinutes(5))
                .withCapacity(LIMITS.capacity()));
        for (int i = 0; i < 6; i++) {
            try (RawHttp raw = connect()) {
                raw.send(get("/later"));
            }
        }
        await().untilAsserted(() -> assertThat(
                RawHttp.status(listener.port(), closing("POST", "/echo", "Content-Length: 1\r\n\r\nx")))
                .isEqualTo(200));
    }

    @Test
    void anEventStreamWithHeartbeatsOutlivesTheIdleTime() {
        try (RawHttp raw = connect()) {
            raw.send(get("/events"));
            await().until(() -> !streams.isEmpty());
            EventStream stream = streams.getFirst();
            for (int i = 0; i < 8; i++) {
                int beat = i;
                await().pollDelay(Duration.ofMillis(200)).until(() -> stream.write(bytes(": " + beat + "\n\n")));
            }
            stream.write(bytes("data: end\n\n"));
            stream.close();
            assertThat(raw.line()).contains("200");
            String rest = "";
            for (String line = raw.line(); !line.equals("0"); line = raw.line()) {
                rest += line + "\n";
            }
            assertThat(rest).contains("text/event-stream", "X-Kind: sse", "X-Added: 1", "Cache-Control: no-store",
                    ": 7", "data: end");
            assertThat(raw.line()).isEmpty();
            raw.send(get("/now"));
            assertThat(raw.line()).as("the connection is kept").contains("200");
        }
        assertThat(closed).hasValue(1);
    }

    @Test
    void anEventStreamThatIsRefusedAtItsBeginIsAnsweredByTheReasonAlone() {
        try (RawHttp raw = connect()) {
            raw.send(get("/full") + closing("GET", "/now", "\r\n"));
            String answers = raw.rest();
            assertThat(answers).startsWith("HTTP/1.1 429").contains("too-many-streams", "HTTP/1.1 200 OK")
                    .doesNotContain("event-stream", "X-Kind", ":\n\n");
        }
        assertThat(closed).hasValue(1);
    }

    @Test
    void anEventStreamWithoutHeartbeatsEndsAndItsWriterIsNotified() {
        try (RawHttp raw = connect()) {
            raw.send(get("/events"));
            assertThat(raw.rest()).doesNotContain("data");
        }
        await().untilAsserted(() -> assertThat(closed).hasValue(1));
        assertThat(streams.getFirst().write(bytes("data: x\n\n"))).isFalse();
    }

    @Test
    void aSlowReaderIsCutOffAndOthersContinue() {
        try (RawHttp slow = connect(); RawHttp good = connect()) {
            slow.send(get("/events"));
            await().until(() -> streams.size() == 1);
            good.send(get("/events"));
            await().until(() -> streams.size() == 2);
            byte[] event = bytes("data: " + "x".repeat(10_000) + "\n\n");
            CompletableFuture<Void> reading = CompletableFuture.runAsync(good::rest);
            await().pollInterval(Duration.ofMillis(1)).until(() -> {
                streams.get(1).write(bytes(":\n\n"));
                return !streams.get(0).write(event);
            });
            await().untilAsserted(() -> assertThat(closed).hasValue(1));
            assertThat(streams.get(1).isOpen()).isTrue();
            streams.get(1).close();
            good.finish();
            reading.join();
        }
    }

    @Test
    void closingTheListenerEndsEventStreamsAtOnce() {
        restart(LIMITS.withStop(Duration.ofMinutes(5)));
        try (RawHttp raw = connect()) {
            raw.send(get("/events"));
            await().until(() -> !streams.isEmpty());
            CompletableFuture<Void> closing = CompletableFuture.runAsync(listener::close);
            assertThat(raw.rest()).endsWith("0\r\n\r\n");
            await().until(closing::isDone);
        }
    }

    @Test
    void anHttp10ClientGetsEventsUntilTheConnectionEnds() {
        try (RawHttp raw = connect()) {
            raw.send("GET /events HTTP/1.0\r\nHost: x\r\n\r\n");
            await().until(() -> !streams.isEmpty());
            streams.getFirst().write(bytes("data: x\n\n"));
            streams.getFirst().close();
            assertThat(raw.rest()).endsWith("\r\n\r\ndata: x\n\n").doesNotContain("chunked");
        }
    }
}
