package dev.orderly.http.tls;

import static dev.orderly.http.tls.Http2Wire.CONTINUATION;
import static dev.orderly.http.tls.Http2Wire.DATA;
import static dev.orderly.http.tls.Http2Wire.END_HEADERS;
import static dev.orderly.http.tls.Http2Wire.END_STREAM;
import static dev.orderly.http.tls.Http2Wire.GO_AWAY;
import static dev.orderly.http.tls.Http2Wire.HEADERS;
import static dev.orderly.http.tls.Http2Wire.PING;
import static dev.orderly.http.tls.Http2Wire.RESET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.room.RoomNode;
import dev.orderly.http.tls.Http2Wire.Frame;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.time.Time;
import dev.orderly.web.browser.Guest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An edge over HTTP/2, with clients that keep its rules and clients that do not. */
@Timeout(120)
class Http2ListenerTest {
    private static final TestAuthority AUTHORITY = new TestAuthority(Time.system().now());
    private static final HostCertificates CERTIFICATES = TestCertificates.of(AUTHORITY, "localhost");
    private static final int CALM = 0xb;
    private static final int CANCEL = 8;
    private static final int REFUSED = 7;
    private static final int WINDOW_OF_STREAMS = 4;
    private static final Duration SOON = Duration.ofMinutes(1);

    private @Nullable RoomNode node;

    private RoomNode node() {
        return node(HttpLimits.DEFAULT);
    }

    private RoomNode node(HttpLimits limits) {
        RoomNode made = new RoomNode(RoomNode.ONE_INSIDE, limits, ListenerTls.of(new CurrentCertificates(CERTIFICATES)),
                AUTHORITY.clientContext(), HttpClient.Version.HTTP_2);
        node = made;
        return made;
    }

    @AfterEach
    void close() {
        if (node != null) {
            node.close();
        }
    }

    private static Http2Wire wire(RoomNode node, int... settings) {
        return new Http2Wire(node.edge.port(), AUTHORITY.clientContext(), settings);
    }

    @Test
    void roomsAndTheSiteAreServedAndTheOriginGetsTheHostAndTheWholeCookie() {
        RoomNode node = node();
        Guest guest = new Guest(node);
        guest.get("/tickets/a");
        guest.cookies.put("other", "1");
        AtomicReference<String> via = new AtomicReference<>("");
        node.originDoes(exchange -> via.set(exchange.getRequestHeaders().getFirst("Via")));
        HttpResponse<String> inside = guest.get("/tickets/a?b=c");
        assertThat(via).hasValue("2.0 orderly");
        assertThat(inside.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(inside.statusCode()).isEqualTo(200);
        assertThat(inside.body()).isEqualTo("origin /tickets/a?b=c");
        assertThat(inside.headers().firstValue("Saw-Proto")).contains("https");
        assertThat(node.reached).last().asString().endsWith(" sale other=1");
        HttpResponse<String> waiting = new Guest(node).page("/tickets/a", "en");
        assertThat(waiting.statusCode()).isEqualTo(503);
        assertThat(waiting.body()).contains("The sale");
        assertThat(new Guest(node).get("/tickets/").body()).contains("\"state\":\"waiting\"");
    }

    @Test
    void bodiesReachTheOriginWithAndWithoutAKnownLength() {
        RoomNode node = node();
        AtomicReference<String> seen = new AtomicReference<>("");
        node.originDoes(exchange -> {
            try {
                seen.set(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8) + " "
                        + exchange.getRequestHeaders().getFirst("Content-Length") + " "
                        + exchange.getRequestHeaders().getFirst("Transfer-Encoding"));
            } catch (IOException e) {
                seen.set(e.toString());
            }
        });
        assertThat(node.send(node.at("/a").POST(BodyPublishers.ofString("known"))).statusCode()).isEqualTo(200);
        assertThat(seen).hasValue("known 5 null");
        byte[] body = "unknown".getBytes(StandardCharsets.UTF_8);
        assertThat(node.send(node.at("/a").POST(BodyPublishers.ofInputStream(
                () -> new java.io.ByteArrayInputStream(body)))).statusCode()).isEqualTo(200);
        assertThat(seen).hasValue("unknown 7 null");
        byte[] large = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        assertThat(node.send(node.at("/a").POST(BodyPublishers.ofInputStream(
                () -> new java.io.ByteArrayInputStream(large)))).statusCode()).isEqualTo(200);
        assertThat(seen.get()).startsWith("xxx").endsWith("x null chunked").hasSize(large.length + 13);
    }

    @Test
    void requestsOverHttp2KeepTheConnectionToTheOrigin() {
        RoomNode node = node();
        Set<Integer> ports = ConcurrentHashMap.newKeySet();
        node.originDoes(exchange -> ports.add(exchange.getRemoteAddress().getPort()));
        for (int i = 0; i < 20; i++) {
            assertThat(node.send(node.at("/a")).statusCode()).isEqualTo(200);
        }
        assertThat(ports).hasSize(1);
    }

    @Test
    void manyEventStreamsShareAConnectionAndOneThatEndsLeavesTheOthers() throws Exception {
        RoomNode node = node();
        Guest.inside(node);
        Guest one = new Guest(node);
        Guest two = new Guest(node);
        one.get("/tickets/");
        two.get("/tickets/");
        try (Http2Wire wire = wire(node)) {
            for (int i = 0; i < 8; i++) {
                wire.get(2 * i + 1, "/.orderly/rooms/sale/events", "cookie", (i < 4 ? one : two).jar());
            }
            for (int i = 0; i < 8; i++) {
                int stream = 2 * i + 1;
                assertThat(wire.await(frame -> frame.is(HEADERS, stream)).status()).isEqualTo(200);
            }
            wire.send(RESET, 0, 1, Http2Wire.number(CANCEL));
            wire.get(101, "/robots.txt");
            assertThat(wire.await(frame -> frame.is(HEADERS, 101)).status()).isEqualTo(200);
            node.pass(1);
            assertThat(wire.await(frame -> frame.is(DATA, 15) && frame.text().contains("\"state\"")).text())
                    .contains("\"state\":\"waiting\"");
        }
    }

    @Test
    void anUnwantedBodyEndsItsStreamOnly() throws Exception {
        RoomNode node = node();
        Guest.inside(node);
        try (Http2Wire wire = wire(node)) {
            wire.send(HEADERS, END_HEADERS, 1, Http2Wire.head("POST", "/tickets/a"));
            wire.send(DATA, 0, 1, new byte[1_000]);
            wire.flush();
            assertThat(wire.await(frame -> frame.is(HEADERS, 1)).status()).isEqualTo(503);
            assertThat(wire.await(frame -> frame.is(RESET, 1)).error()).isZero();
            wire.get(3, "/robots.txt");
            assertThat(wire.await(frame -> frame.is(HEADERS, 3)).status()).isEqualTo(200);
        }
    }

    @Test
    void anUploadThatIsBrokenOffEndsItsStreamOnly() throws Exception {
        RoomNode node = node();
        try (Http2Wire wire = wire(node)) {
            wire.send(HEADERS, END_HEADERS, 1, Http2Wire.head("POST", "/upload"));
            wire.send(DATA, 0, 1, new byte[1_000]);
            wire.send(RESET, 0, 1, Http2Wire.number(CANCEL));
            wire.send(HEADERS, END_HEADERS, 3, Http2Wire.head("POST", "/upload", "content-length", "5"));
            wire.send(DATA, END_STREAM, 3, new byte[2]); // less than announced
            wire.get(5, "/robots.txt");
            assertThat(wire.await(frame -> frame.is(HEADERS, 5)).status()).isEqualTo(200);
        }
        assertThat(node.reached).singleElement().asString().contains("/robots.txt");
    }

    @Test
    void malformedHeadsEndTheirStreamOnly() throws Exception {
        RoomNode node = node();
        try (Http2Wire wire = wire(node)) {
            int stream = 1;
            for (String[] header : new String[][]{{"connection", "close"}, {"transfer-encoding", "chunked"},
                    {"upgrade", "websocket"}, {"host", "other.example"}, {"Upper", "case"}}) {
                wire.get(stream, "/robots.txt", header);
                assertThat(refused(wire, stream)).as(header[0]).isTrue();
                stream += 2;
            }
            wire.get(stream, "no-slash");
            assertThat(refused(wire, stream)).isTrue();
            stream += 2;
            wire.get(stream, "/" + "a".repeat(9_000));
            int longLine = stream;
            assertThat(wire.await(frame -> frame.is(HEADERS, longLine)).status()).isEqualTo(414);
            wire.get(stream + 2, "/robots.txt");
            int last = stream + 2;
            assertThat(wire.await(frame -> frame.is(HEADERS, last)).status()).isEqualTo(200);
        }
        assertThat(node.reached).singleElement().asString().contains("/robots.txt");
    }

    @ParameterizedTest
    @CsvSource({":authority=a,a", ":authority=A.,a", ":authority=a:,a", ":authority=[::1]:,[::1]", "host=a:,a",
            ":authority=a:0443,a:443", ":authority=[0:0::1]:8,[::1]:8", ":authority=a|host=a,a"})
    void aHostHasOneFormAsOverHttp1(String fields, String sent) throws Exception {
        RoomNode node = node();
        Queue<String> hosts = new ConcurrentLinkedQueue<>();
        node.originDoes(exchange -> hosts.add(exchange.getRequestHeaders().getFirst("Host")));
        try (Http2Wire wire = wire(node)) {
            ask(wire, 1, fields);
            assertThat(wire.await(frame -> frame.is(HEADERS, 1)).status()).isEqualTo(200);
        }
        assertThat(hosts).containsExactly(sent);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x=y", "host=", ":authority=", ":authority=:", ":authority=:80", ":authority=u@a",
            ":authority=u:p@a:80", ":authority=a:70000", ":authority=a:+8", ":authority=a:8:8", ":authority=a..b",
            ":authority=[::1", ":authority=::1", ":authority=[::1%25e]", ":authority=127.1", ":authority=a%2eb",
            ":authority=a,b", ":authority=a|host=b", ":authority=a|host=a:443", ":authority=a|host=a|host=a",
            ":authority=a|host=a|host=b", ":authority=a|host=b|host=a", "host=a|host=b", "host=a|host=a",
            "host=a|x=y|host=a", ":authority=a|:authority=a", ":authority=a|:authority=b", ":authority=a|:path=/b",
            ":authority=a|:protocol=websocket"})
    void aRequestWithoutExactlyOneHostIsRefused(String fields) throws Exception {
        RoomNode node = node();
        try (Http2Wire wire = wire(node)) {
            ask(wire, 1, fields);
            assertThat(refused(wire, 1)).isTrue();
        }
        assertThat(node.reached).isEmpty();
    }

    /** Sends a GET with these fields, such as {@code :authority=a|host=b}. */
    private static void ask(Http2Wire wire, int stream, String fields) throws IOException {
        List<String> all = new ArrayList<>(List.of(":method", "GET", ":scheme", "https", ":path", "/robots.txt"));
        for (String field : fields.split("\\|", -1)) {
            all.addAll(List.of(field.split("=", 2)));
        }
        wire.send(HEADERS, END_STREAM | END_HEADERS, stream, Http2Wire.block(all.toArray(String[]::new)));
        wire.flush();
    }

    private static boolean refused(Http2Wire wire, int stream) throws IOException {
        Frame answer = wire.await(frame -> frame.is(HEADERS, stream) || frame.is(RESET, stream));
        return answer.type() == RESET || answer.status() == 400;
    }

    @Test
    void aHeaderListAboveTheLimitIsRefused() throws Exception {
        RoomNode node = node();
        try (Http2Wire wire = wire(node)) {
            wire.send(HEADERS, END_STREAM, 1, Http2Wire.head("GET", "/robots.txt"));
            wire.send(CONTINUATION, 0, 1, Http2Wire.block("a", "b".repeat(12_000)));
            wire.send(CONTINUATION, END_HEADERS, 1, Http2Wire.block("c", "d".repeat(12_000)));
            wire.flush();
            Frame answer = wire.await(frame -> frame.stream() == 1 || frame.type() == GO_AWAY);
            assertThat(answer.type() != HEADERS || answer.status() == 431).isTrue();
        }
        assertThat(node.reached).isEmpty();
    }

    @Test
    void aFloodOfContinuationsEndsTheConnection() throws Exception {
        RoomNode node = node();
        try (Http2Wire wire = wire(node)) {
            wire.send(HEADERS, END_STREAM, 1, Http2Wire.head("GET", "/robots.txt"));
            for (int i = 0; i < 1_000; i++) {
                wire.send(CONTINUATION, 0, 1, new byte[0]);
            }
            wire.flush();
            assertThat(wire.await(frame -> frame.type() == GO_AWAY).error()).isEqualTo(CALM);
        } catch (IOException _) {
            // closed while the flood was sent
        }
        assertThat(new Guest(node).get("/robots.txt").statusCode()).isEqualTo(200);
    }

    @Test
    void streamsThatAreResetAtOnceEndTheConnection() throws Exception {
        RoomNode node = node();
        boolean ended;
        try (Http2Wire wire = wire(node)) {
            for (int i = 0; i < 1_000; i++) {
                wire.send(HEADERS, END_STREAM | END_HEADERS, 2 * i + 1, Http2Wire.head("GET", "/robots.txt"));
                wire.send(RESET, 0, 2 * i + 1, Http2Wire.number(CANCEL));
            }
            wire.flush();
            ended = wire.await(frame -> frame.type() == GO_AWAY).error() == CALM;
        } catch (IOException _) {
            ended = true; // closed while the flood was sent
        }
        assertThat(ended).isTrue();
        assertThat(node.reached.size()).isLessThan(1_000);
        assertThat(new Guest(node).get("/robots.txt").statusCode()).isEqualTo(200);
    }

    @Test
    void moreStreamsThanOfferedAreRefused() throws Exception {
        RoomNode node = node();
        try (Http2Wire wire = wire(node, WINDOW_OF_STREAMS, 0)) { // so that every answer stays under way
            for (int i = 0; i <= 100; i++) {
                wire.send(HEADERS, END_STREAM | END_HEADERS, 2 * i + 1, Http2Wire.head("GET", "/robots.txt"));
            }
            wire.flush();
            assertThat(wire.await(frame -> frame.is(RESET, 201)).error()).isEqualTo(REFUSED);
        }
    }

    @Test
    void pingsWhoseAnswersNobodyReadsEndTheConnection() {
        RoomNode node = node();
        try (Http2Wire wire = wire(node)) {
            await().atMost(SOON).until(() -> {
                try {
                    for (int i = 0; i < 100_000; i++) {
                        wire.send(PING, 0, 0, new byte[8]);
                    }
                    wire.flush();
                    return false;
                } catch (IOException _) {
                    return true;
                }
            });
        }
        assertThat(new Guest(node).get("/robots.txt").statusCode()).isEqualTo(200);
    }

    @Test
    void aClientThatOpensNoWindowForAnAnswerLosesTheConnection() {
        HttpLimits limits = HttpLimits.DEFAULT.withAnswer(Duration.ofSeconds(1));
        RoomNode node = node(limits);
        Guest.inside(node);
        try (Http2Wire wire = wire(node, WINDOW_OF_STREAMS, 0)) {
            wire.get(1, "/tickets/a", "accept", "text/html");
            assertThat(wire.endsBefore(frame -> frame.is(DATA, 1) && frame.payload().length > 0)).isTrue();
        }
    }

    @Test
    void oneAddressCannotTakeAllRequests() throws Exception {
        HttpLimits limits = HttpLimits.DEFAULT
                .withCapacity(new HttpLimits.Capacity(100, 8, 1 << 20, 16 << 10, 8 << 10));
        RoomNode node = node(limits);
        try (Http2Wire wire = wire(node)) {
            for (int i = 0; i < 3; i++) {
                wire.send(HEADERS, END_HEADERS, 2 * i + 1, Http2Wire.head("POST", "/upload", "content-length", "9"));
            }
            wire.flush();
            assertThat(wire.await(frame -> frame.is(HEADERS, 5)).status()).isEqualTo(429);
        }
    }

    @Test
    void aDrainingEdgeSendsGoAwayAndFinishesTheStreamsUnderWay() throws Exception {
        CountDownLatch drained = new CountDownLatch(1);
        RoomNode node = node();
        node.originDoes(_ -> {
            try {
                assertThat(drained.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        try (Http2Wire wire = wire(node)) {
            wire.get(1, "/a");
            await().atMost(SOON).until(() -> !node.reached.isEmpty());
            node.edge.drain(Duration.ofSeconds(30));
            assertThat(wire.await(frame -> frame.is(Http2Wire.GO_AWAY, 0)).error()).isZero();
            drained.countDown();
            assertThat(wire.await(frame -> frame.is(Http2Wire.HEADERS, 1)).status()).isEqualTo(200);
        }
    }

    @Test
    void clientsThatLeaveInEveryPhaseLeaveNothingBehind() {
        RoomNode node = node();
        Guest.inside(node);
        Guest waiting = new Guest(node);
        waiting.get("/tickets/");
        try (LogLines lines = LogLines.of("ROOT")) {
            for (int i = 0; i < 60; i++) {
                leave(node, waiting.jar(), i % 2 == 0, i % 3 == 0);
            }
            node.client().close(); // its connections count too
            await().atMost(SOON).untilAsserted(() -> {
                assertThat(node.edge.load().connections()).isZero();
                assertThat(node.edge.load().requests()).isZero();
                assertThat(node.edge.load().bodyBytes()).isZero();
            });
            assertThat(lines.events())
                    .filteredOn(event -> !event.getLoggerName().endsWith("BlockedThreadChecker")).isEmpty();
        }
    }

    /** Leaves in the middle of a page, an upload, an event stream and a head: each stream by itself, or all at once. */
    private static void leave(RoomNode node, String cookies, boolean byReset, boolean brokenOff) {
        try (Http2Wire wire = wire(node)) {
            wire.send(HEADERS, END_STREAM | END_HEADERS, 1, Http2Wire.head("GET", "/robots.txt"));
            wire.send(HEADERS, END_HEADERS, 3, Http2Wire.head("POST", "/upload"));
            wire.send(HEADERS, END_HEADERS, 5, Http2Wire.head("POST", "/upload", "content-length", "9"));
            wire.send(DATA, 0, 5, new byte[3]);
            wire.send(HEADERS, END_STREAM | END_HEADERS, 7,
                    Http2Wire.head("GET", "/.orderly/rooms/sale/events", "cookie", cookies));
            for (int stream = 1; byReset && stream <= 7; stream += 2) {
                wire.send(RESET, 0, stream, Http2Wire.number(CANCEL));
            }
            wire.send(HEADERS, 0, 9, Http2Wire.head("GET", "/robots.txt"));
            wire.flush();
            if (brokenOff) {
                wire.breakOff();
            }
        } catch (IOException | UncheckedIOException _) {
            // the edge has closed the connection first
        }
    }
}
