package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpLimits.Capacity;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.resilience.InterceptedStore;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The treatment of slow, greedy, broken and hostile clients by a listener, tested with raw bytes on sockets. */
@Timeout(150)
class HttpGuardsTest {
    private static final String PUSH = "POST /mail HTTP/1.1\r\nHost: x\r\n";
    private static final HttpLimits PATIENT = HttpLimits.DEFAULT.withStop(Duration.ofSeconds(5))
            .withCapacity(new Capacity(8, 2, 100_000, 4_096, 2_048));
    /** Deadlines for requests that must run into them, and for no others: a slow machine may run into any of these. */
    private static final HttpLimits QUICK = PATIENT.withHead(Duration.ofMillis(600)).withBody(Duration.ofMillis(900))
            .withAnswer(Duration.ofMillis(800)).withIdle(Duration.ofMillis(1500));
    private InterceptedStore store = new InterceptedStore(new MemoryStore());
    private Node node = new Node(store, PATIENT);

    @AfterEach
    void close() {
        store.heal();
        node.close();
    }

    private void restartWithQuickDeadlines() {
        node.close();
        store = new InterceptedStore(new MemoryStore());
        node = new Node(store, QUICK);
    }

    private int port() {
        return node.edge.port();
    }

    private long stored() {
        return node.jobs().queues().stream().mapToLong(q -> q.view().waiting()).sum();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            // framing that two servers could read differently
            "Content-Length: 2\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n2\\r\\n{}\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: chunked\\r\\nContent-Length: 2\\r\\n\\r\\n2\\r\\n{}\\r\\n0\\r\\n\\r\\n",
            "Content-Length: 2\\r\\nContent-Length: 3\\r\\n\\r\\n{} ", "Content-Length: 2, 2\\r\\n\\r\\n{}",
            "Content-Length: +2\\r\\n\\r\\n{}", "Content-Length: -2\\r\\n\\r\\n{}", "Content-Length: 0x2\\r\\n\\r\\n{}",
            "Transfer-Encoding: gzip\\r\\n\\r\\n2\\r\\n{}\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: chunked, chunked\\r\\n\\r\\n2\\r\\n{}\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: xchunked\\r\\n\\r\\n2\\r\\n{}\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: chunked\\r\\n\\r\\nzz\\r\\n{}\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: chunked\\r\\n\\r\\n10000000000000002\\r\\n{}\\r\\n0\\r\\n\\r\\n",
            "Transfer-Encoding: chunked\\r\\n\\r\\n2\\r\\n{}XX0\\r\\n\\r\\n",
            "Content-Length : 2\\r\\n\\r\\n{}", "X: a\\0b\\r\\nContent-Length: 2\\r\\n\\r\\n{}"})
    void aRequestWithAnAmbiguousEndIsNeverAJob(String rest) {
        int status = RawHttp.status(port(), PUSH + rest.replace("\\r", "\r").replace("\\n", "\n").replace("\\0", "\0"));

        assertThat(status).isIn(0, 400);
        assertThat(stored()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"POST /mail HTTP/1.1|Host: a\\r\\nHost: a|400", "POST /mail HTTP/1.1|X: y|400",
            "POST /mail HTTP/1.1|Host: a b|400", "POST /mail HTTP/1.1|Host:|400",
            "POST http://other/mail HTTP/1.1|Host: a|400", "POST http://a:80/mail HTTP/1.1|Host: a|400",
            "POST http://a/mail HTTP/1.1|Host: a|202", "POST mail HTTP/1.1|Host: a|400",
            "POST //mail HTTP/1.1|Host: a|404", "POST /x/../mail HTTP/1.1|Host: a|404",
            "POST /mail#x HTTP/1.1|Host: a|400", "CONNECT a:80 HTTP/1.1|Host: a|405", "POST * HTTP/1.1|Host: a|400",
            "OPTIONS * HTTP/1.1|Host: a|413", "FETCH /mail HTTP/1.1|Host: a|405", "POST /mail?a=b HTTP/1.1|Host: a|202",
            "POST /mail HTTP/1.0|X: y|400", "POST /mail HTTP/1.0|Host: a|202"})
    void theTargetIsAPathOrAUriOfTheHost(String line, String headers, int status) {
        String request = line + "\r\n" + headers.replace("\\r", "\r").replace("\\n", "\n");

        assertThat(RawHttp.status(port(), request + "\r\nContent-Length: 2\r\n\r\n{}")).isEqualTo(status);
    }

    @Test
    void optionsOfTheWholeServerNameItsMethods() {
        assertThat(RawHttp.status(port(), "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")).isEqualTo(204);
    }

    @ParameterizedTest
    @CsvSource({"HTTP/9.9", "HTTP/2.0", "HTTP/x"})
    void unsupportedVersionsAreRefused(String version) {
        RawHttp.status(port(), "POST /mail " + version + "\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}");

        assertThat(stored()).isZero();
    }

    @Test
    void clearTextHttp2IsNotSupported() {
        assertThat(RawHttp.status(port(), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")).isIn(0, 400, 505);
        assertThat(RawHttp.status(port(), "POST /mail HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\nContent-Length: 2\r\n\r\n{}"))
                .isEqualTo(202);
    }

    @Test
    void headersOverTheirLimitAre431AndALongLineIs414AsProblems() {
        try (RawHttp raw = new RawHttp(port())) {
            raw.send(PUSH + "X: " + "a".repeat(5_000) + "\r\n\r\n");
            assertThat(raw.rest()).startsWith("HTTP/1.").contains(" 431 ").contains("problem:headers-too-large");
        }
        try (RawHttp raw = new RawHttp(port())) {
            raw.send("POST /mail?" + "a".repeat(3_000) + " HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(raw.rest()).startsWith("HTTP/1.").contains(" 414 ").contains("problem:uri-too-long");
        }
    }

    @Test
    void aSilentConnectionIsClosed() {
        restartWithQuickDeadlines();
        try (RawHttp raw = new RawHttp(port())) {
            assertThat(raw.rest()).isEmpty();
        }
    }

    @Test
    void aHeadSentByteByByteIsCutOffAtItsDeadline() {
        restartWithQuickDeadlines();
        long began = dev.orderly.time.Time.system().nanos();
        try (RawHttp raw = new RawHttp(port())) {
            raw.send("POST /mail HTTP/1.1\r\nX: ");
            await().pollInterval(Duration.ofMillis(50)).until(() -> !raw.offer("a"));
        }
        assertThat(Duration.ofNanos(dev.orderly.time.Time.system().nanos() - began)).isGreaterThan(
                Duration.ofMillis(500));
    }

    @Test
    void aSecondHeadOnAConnectionHasADeadlineToo() {
        restartWithQuickDeadlines();
        try (RawHttp raw = new RawHttp(port())) {
            raw.send("OPTIONS /mail HTTP/1.1\r\nHost: x\r\n\r\nPOST /mail HT");
            assertThat(raw.line()).isEqualTo("HTTP/1.1 204 No Content");
            await().pollInterval(Duration.ofMillis(50)).until(() -> !raw.offer("a"));
        }
    }

    @Test
    void aBodyThatComesByteByByteIs408AtItsDeadline() {
        restartWithQuickDeadlines();
        try (RawHttp raw = new RawHttp(port())) {
            raw.send(PUSH + "Content-Length: 1000\r\n\r\n");
            CompletableFuture<String> answer = CompletableFuture.supplyAsync(raw::rest);
            await().pollInterval(Duration.ofMillis(50)).until(() -> !raw.offer("1") || answer.isDone());
            assertThat(answer.join()).satisfiesAnyOf(
                    text -> assertThat(text).startsWith("HTTP/1.1 408").contains("problem:too-slow"),
                    text -> assertThat(text).isEmpty());
        }
        assertThat(stored()).isZero();
    }

    @Test
    void theSenderOfASlowBodyGetsTheReason() {
        restartWithQuickDeadlines();
        try (RawHttp raw = new RawHttp(port())) {
            raw.send(PUSH + "Content-Length: 1000\r\n\r\n1");
            assertThat(raw.rest()).startsWith("HTTP/1.1 408").contains("problem:too-slow");
        }
    }

    @Test
    void theSenderOfATooLargeBodyGetsTheReasonWhileItSends() {
        try (RawHttp raw = new RawHttp(port())) {
            raw.send(PUSH + "Content-Length: 4000000\r\n\r\n");
            for (int i = 0; i < 4; i++) {
                raw.send("x".repeat(1_000_000));
            }
            assertThat(raw.rest()).startsWith("HTTP/1.1 413").containsIgnoringCase("Connection: close")
                    .contains("problem:too-large");
        }
        assertThat(stored()).isZero();
    }

    @Test
    void anExpectedContinueIsSentOnlyIfTheBodyIsAccepted() {
        try (RawHttp raw = new RawHttp(port())) {
            raw.send(PUSH + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n");
            assertThat(raw.line()).isEqualTo("HTTP/1.1 100 Continue");
            raw.send("{}");
            assertThat(raw.line()).isEmpty();
            assertThat(raw.line()).isEqualTo("HTTP/1.1 202 Accepted");
        }
        assertThat(RawHttp.status(port(), PUSH + "Content-Length: 9999999\r\nExpect: 100-continue\r\n\r\n"))
                .isEqualTo(413);
        assertThat(RawHttp.status(port(), PUSH + "Content-Type: image/png\r\nContent-Length: 2\r\n"
                + "Expect: 100-continue\r\n\r\n")).isEqualTo(415);
        assertThat(RawHttp.status(port(), PUSH + "Content-Length: 2\r\nExpect: 200-maybe\r\n\r\n")).isEqualTo(417);
    }

    @Test
    void requestsOnOneConnectionAreAnsweredInTheirOrder() {
        try (RawHttp raw = new RawHttp(port())) {
            raw.send(PUSH + "Content-Length: 2\r\n\r\n{}" + "GET /mail HTTP/1.1\r\nHost: x\r\n\r\n" + PUSH
                    + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n[\r\n1\r\n]\r\n0\r\n\r\n");
            assertThat(raw.rest().lines().filter(line -> line.contains("HTTP/1.1 "))
                    .map(line -> line.substring(line.indexOf("HTTP/1.1 ") + 9, line.indexOf("HTTP/1.1 ") + 12)))
                    .containsExactly("202", "405", "202");
        }
        assertThat(stored()).isEqualTo(2);
    }

    @Test
    void requestsBeyondTheCapacityAre503AndGiveEverythingBack() throws InterruptedException {
        restartWithQuickDeadlines();
        CountDownLatch in = new CountDownLatch(2);
        CountDownLatch go = new CountDownLatch(1);
        store.before(() -> {
            in.countDown();
            uninterruptibly(go);
        });
        try (RawHttp one = new RawHttp(node.api.port()); RawHttp two = new RawHttp(node.api.port())) {
            one.send("GET /api/v1/queues HTTP/1.1\r\n" + Node.LOCAL_LINE + "Host: localhost\r\n\r\n");
            two.send("GET /api/v1/queues HTTP/1.1\r\n" + Node.LOCAL_LINE + "Host: localhost\r\n\r\n");
            in.await();
            String third = "GET /api/v1/queues HTTP/1.1\r\n" + Node.LOCAL_LINE + "Host: localhost\r\n\r\n";
            assertThat(RawHttp.status(node.api.port(), third)).isEqualTo(503);
            assertThat(RawHttp.statusOf(one.line())).as("answered in time while the store does not answer")
                    .isEqualTo(503);
            go.countDown();
            store.heal();
            await().until(() -> RawHttp.status(node.api.port(), third) == 200);
        }
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new StoreException.Unavailable("nobody let it go on", null);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The capacity is two requests, so capacity that is not given back would show as 503 at the end. */
    @Test
    void aDamagedRequestIsNoServerErrorAndGivesBackItsCapacity() {
        long seed = Long.getLong("orderly.seed", 20261121L);
        Random random = new Random(seed);
        String whole = PUSH + "Content-Type: application/json\r\nIdempotency-Key: k\r\nContent-Length: 9\r\n\r\n"
                + "{\"a\": 12}";
        for (int i = 0; i < 400; i++) {
            StringBuilder damaged = new StringBuilder(whole);
            for (int n = random.nextInt(1, 4); n > 0; n--) {
                int at = random.nextInt(damaged.length());
                switch (random.nextInt(3)) {
                    case 0 -> damaged.setCharAt(at, (char) random.nextInt(256));
                    case 1 -> damaged.deleteCharAt(at);
                    default -> damaged.insert(at, damaged.substring(0, random.nextInt(at + 1)));
                }
            }
            try (RawHttp raw = new RawHttp(port())) {
                raw.offer(damaged.toString());
                raw.finish();
                assertThat(raw.rest()).as("seed %s, round %s: %s", seed, i, damaged)
                        .doesNotContain("HTTP/1.1 500").doesNotContain("HTTP/1.1 502");
            }
        }
        await().until(() -> RawHttp.status(port(), PUSH + "Content-Length: 2\r\n\r\n{}") == 202);
        try (RawHttp one = new RawHttp(port()); RawHttp two = new RawHttp(port())) {
            one.send(PUSH + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n");
            two.send(PUSH + "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n");
            assertThat(RawHttp.statusOf(one.line())).as("seed %s", seed).isEqualTo(100);
            assertThat(RawHttp.statusOf(two.line())).as("seed %s", seed).isEqualTo(100);
        }
    }

    @Test
    void connectionsBeyondTheLimitGetTheReasonAndAreClosed() {
        List<RawHttp> open = IntStream.range(0, 8).mapToObj(_ -> new RawHttp(port())).toList();
        try {
            open.forEach(raw -> {
                raw.send("OPTIONS /mail HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(RawHttp.statusOf(raw.line())).isEqualTo(204);
            });
            try (RawHttp beyond = new RawHttp(port())) {
                beyond.send("OPTIONS /mail HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(beyond.rest()).startsWith("HTTP/1.1 503 ").contains("8 connections open");
            }
        } finally {
            open.forEach(RawHttp::close);
        }
        await().until(() -> RawHttp.status(port(), "OPTIONS /mail HTTP/1.1\r\nHost: x\r\n\r\n") == 204);
    }

    @Test
    void connectionsWithAPendingRequestCountToo() {
        List<RawHttp> open = IntStream.range(0, 8).mapToObj(_ -> new RawHttp(port())).toList();
        try {
            open.forEach(raw -> {
                raw.send(PUSH + "Content-Length: 9\r\nExpect: 100-continue\r\n\r\n");
                assertThat(RawHttp.statusOf(raw.line())).isIn(100, 503); // room for two requests only
            });
            try (RawHttp beyond = new RawHttp(port())) {
                beyond.send("OPTIONS /mail HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(beyond.rest()).startsWith("HTTP/1.1 503 ").contains("8 connections open");
            }
        } finally {
            open.forEach(RawHttp::close);
        }
    }

    @Test
    void closingFinishesPendingRequestsAndAcceptsNoNewRequest() throws Exception {
        CountDownLatch in = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        store.before(() -> {
            in.countDown();
            uninterruptibly(go);
        });
        int port = port();
        try (RawHttp busy = new RawHttp(port); RawHttp idle = new RawHttp(port)) {
            idle.send("OPTIONS /mail HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(RawHttp.statusOf(idle.line())).isEqualTo(204);
            busy.send(PUSH + "Content-Length: 2\r\n\r\n{}");
            in.await();
            CompletableFuture<Void> closing = CompletableFuture.runAsync(node.edge::close);
            await().untilAsserted(() -> assertThatThrownBy(() -> {
                try (RawHttp late = new RawHttp(port)) {
                    late.send(PUSH + "Content-Length: 2\r\n\r\n{}");
                    assertThat(late.line()).isNotEmpty();
                }
            }).isInstanceOfAny(UncheckedIOException.class, AssertionError.class));
            assertThat(closing).isNotDone();
            store.heal();
            go.countDown();
            assertThat(RawHttp.statusOf(busy.line())).isEqualTo(202);
            closing.get(30, TimeUnit.SECONDS);
        }
        assertThat(stored()).isEqualTo(1);
    }

    @Test
    void aTakenPortIsNamedAndTheListenerMayStartAgain() {
        int taken = port();
        EdgeServer other = new EdgeServer(BindAddress.loopback(taken), Routes.of(List.of(), node.jobs()),
                HttpLimits.DEFAULT);
        try (other) {
            assertThatThrownBy(other::start).isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("127.0.0.1:" + taken).hasMessageContaining("use 0");
            assertThatThrownBy(other::port).isInstanceOf(IllegalStateException.class);
            node.edge.close();
            other.start();
            assertThat(other.port()).isEqualTo(taken);
            assertThatThrownBy(other::start).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void contradictoryLimitsAreRefused() {
        assertThatThrownBy(() -> QUICK.withIdle(Duration.ofMillis(10))).hasMessageContaining("shorter than idle");
        assertThatThrownBy(() -> QUICK.withHead(Duration.ZERO)).hasMessageContaining("head");
        assertThatThrownBy(() -> new Capacity(0, 1, 1, 1, 1)).hasMessageContaining("connections");
        assertThatThrownBy(() -> new BindAddress("", 0)).hasMessageContaining("host");
        assertThatThrownBy(() -> BindAddress.loopback(65_536)).hasMessageContaining("65536");
    }
}
