package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.flow.Quota;
import dev.orderly.http.Proxied;
import dev.orderly.http.RawHttp;
import dev.orderly.http.RawOrigin;
import dev.orderly.http.gateway.ForwardLimits;
import dev.orderly.http.gateway.ForwardLimits.Share;
import dev.orderly.http.gateway.ForwardLimits.Shares;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpLimits.Capacity;
import dev.orderly.web.edge.TrustedProxies;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One client takes all it can get of the edge. What others need is there all the same. */
@Timeout(150)
class GreedyClientResilienceTest {
    private static final String GREEDY = "192.0.2.1";
    private static final String HONEST = "198.51.100.7";
    private static final Duration SOON = Duration.ofSeconds(60);

    private static final HttpLimits LIMITS = HttpLimits.DEFAULT.withStop(Duration.ofMillis(100));

    private final List<Proxied> edges = new ArrayList<>();
    private final List<RawHttp> open = new ArrayList<>();
    private final RawOrigin origin = new RawOrigin(GreedyClientResilienceTest::answer);

    @AfterEach
    void close() {
        open.forEach(RawHttp::close);
        origin.close();
        edges.forEach(Proxied::close);
    }

    private static String answer(String head, RawOrigin.Wire wire) throws IOException {
        if (head.contains("Upgrade: websocket")) {
            wire.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
            wire.in().transferTo(wire.out());
            return "";
        }
        if (head.startsWith("GET /never ")) {
            RawOrigin.readHead(wire);
            return "";
        }
        if (head.startsWith("GET /events ")) {
            wire.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n:\n\n");
            RawOrigin.readHead(wire);
            return "";
        }
        if (head.startsWith("GET /large ")) {
            String much = "x".repeat(1 << 20);
            wire.send("HTTP/1.1 200 OK\r\nContent-Length: " + (64 << 20) + "\r\n\r\n");
            for (int i = 0; i < 64; i++) {
                wire.send(much);
            }
        }
        return RawOrigin.ok("a page");
    }

    private Gateway gateway() {
        return Proxied.to(origin).withTrusted(TrustedProxies.of("127.0.0.1"));
    }

    private Proxied edge() {
        return edge(gateway(), LIMITS);
    }

    private Proxied edge(Gateway gateway, HttpLimits limits) {
        Proxied edge = new Proxied(gateway, limits);
        edges.add(edge);
        return edge;
    }

    private RawHttp ask(Proxied edge, String line, String address, String headers) {
        RawHttp raw = edge.connect();
        open.add(raw);
        raw.send(line + " HTTP/1.1\r\nHost: shop.example\r\nX-Forwarded-For: " + address + "\r\n" + headers + "\r\n");
        return raw;
    }

    private static String page(Proxied edge, String address) {
        return edge.get("/", "X-Forwarded-For: " + address + "\r\n");
    }

    @Test
    void openWebSocketsLeaveThePagesOfTheSiteAlone() {
        Proxied edge = edge();
        for (int i = 0; i < 256; i++) {
            RawHttp socket = ask(edge, "GET /socket", "192.0.2." + i, "Connection: Upgrade\r\nUpgrade: websocket\r\n");
            assertThat(socket.line()).contains(" 101 ");
        }

        assertThat(page(edge, HONEST)).contains("a page");
    }

    @Test
    void eventStreamsOfTheSiteLeaveItsPagesAlone() {
        Proxied edge = edge();
        for (int i = 0; i < 256; i++) {
            RawHttp stream = ask(edge, "GET /events", "192.0.2." + i, "Accept: text/event-stream\r\n");
            assertThat(stream.line()).contains(" 200 ");
        }

        assertThat(page(edge, HONEST)).contains("a page");
    }

    @Test
    void uploadsThatStopAfterAByteKeepNoConnectionToTheSite() {
        Proxied edge = edge();
        for (int i = 0; i < 256; i++) {
            ask(edge, "POST /upload", "192.0.2." + i, "Content-Length: 100\r\n").send("x");
        }

        assertThat(page(edge, HONEST)).contains("a page");
        assertThat(origin.connections).hasValueLessThan(5);
    }

    @Test
    void anUploadThatStallsOnItsWayGivesItsConnectionBack() {
        Gateway quick = gateway().withLimits(ForwardLimits.DEFAULT.withStall(Duration.ofMillis(400))
                .withShares(Shares.DEFAULT.withUploads(new Share(1, 0, 1))));
        Proxied edge = edge(quick, LIMITS);
        RawHttp stalled = ask(edge, "POST /upload", GREEDY, "Content-Length: 200000\r\n");
        stalled.send("x".repeat(100_000));

        assertThat(stalled.rest()).contains(" 408 ").contains("problem:too-slow");
        RawHttp next = ask(edge, "POST /upload", GREEDY, "Content-Length: 200000\r\nConnection: close\r\n");
        next.send("x".repeat(200_000));
        assertThat(next.rest()).contains("a page");
    }

    @Test
    void aDownloadNobodyReadsGivesItsConnectionBack() {
        Gateway quick = gateway().withLimits(ForwardLimits.DEFAULT.withStall(Duration.ofMillis(400))
                .withShares(Shares.DEFAULT.withPages(new Share(2, 0, 1))));
        Proxied edge = edge(quick, LIMITS);
        RawHttp unread = ask(edge, "GET /large", GREEDY, "");
        assertThat(unread.line()).contains(" 200 ");

        assertThat(page(edge, GREEDY)).contains(" 429 ");
        assertThat(page(edge, HONEST)).contains("a page");
        await().atMost(SOON).untilAsserted(() -> assertThat(page(edge, GREEDY)).contains("a page"));
    }

    @Test
    void anAddressThatWaitsForASlowPageIsToldAtOnceThatItHasItsShareAndOthersAreServed() {
        Proxied edge = edge();
        for (int i = 0; i < 64; i++) {
            ask(edge, "GET /never", GREEDY, "");
        }
        await().atMost(SOON).until(() -> origin.requests.size() == 64);

        String refused = page(edge, GREEDY);

        assertThat(refused).startsWith("HTTP/1.1 429 ").contains("Retry-After: ", "address-limit",
                "64 requests to the site under way");
        assertThat(page(edge, HONEST)).contains("a page");
    }

    @Test
    void pushesThatComeSlowlyShutNeitherPagesNorThePushesOfOthers() {
        HttpLimits few = LIMITS.withCapacity(Capacity.DEFAULT.withPushes(new Quota.Limit(6, 4)));
        Proxied edge = edge(gateway(), few);
        for (int i = 0; i < 4; i++) {
            ask(edge, "POST /mail", GREEDY, "Content-Length: 10\r\nExpect: 100-continue\r\n").line();
        }

        assertThat(push(edge, GREEDY)).contains(" 429 ").contains("4 pushes under way");
        assertThat(push(edge, HONEST)).contains(" 202 ");
        assertThat(page(edge, GREEDY)).contains("a page");
        ask(edge, "POST /mail", "192.0.2.2", "Content-Length: 10\r\nExpect: 100-continue\r\n").line();
        ask(edge, "POST /mail", "192.0.2.3", "Content-Length: 10\r\nExpect: 100-continue\r\n").line();
        assertThat(push(edge, HONEST)).contains(" 503 ").contains("Retry-After: ", "There are 6 pushes under way");
        assertThat(page(edge, HONEST)).contains("a page");
    }

    private static String push(Proxied edge, String address) {
        return edge.exchange("POST /mail HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: " + address
                + "\r\nContent-Length: 2\r\n\r\n{}");
    }

    @Test
    void connectionsThatOnlyRestAreClosedForNewOnesAndThoseOfServedClientsLast() {
        HttpLimits few = LIMITS.withCapacity(new Capacity(12, 100, 1 << 20, 16 << 10, 8 << 10));
        Proxied edge = edge(gateway(), few);
        RawHttp served = ask(edge, "GET /", HONEST, "");
        assertThat(read(served)).endsWith("a page");
        for (int i = 0; i < 11; i++) {
            RawHttp kept = ask(edge, "GET /.orderly/nothing", GREEDY, "");
            assertThat(kept.line()).contains(" 404 ");
        }

        await().atMost(SOON).untilAsserted(() -> assertThat(page(edge, "203.0.113.9")).contains("a page"));
        served.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(read(served)).endsWith("a page");
    }

    @Test
    void anAddressWithItsShareOfConnectionsIsToldSo() {
        HttpLimits few = LIMITS
                .withCapacity(Capacity.DEFAULT.withConnections(new Quota.Limit(100, 5)));
        Proxied edge = edge(Proxied.to(origin), few);
        for (int i = 0; i < 5; i++) {
            assertThat(read(ask(edge, "GET /", HONEST, ""))).endsWith("a page");
        }

        assertThat(page(edge, HONEST)).startsWith("HTTP/1.1 429 ").contains("Your address has 5 connections open");
        open.removeFirst().close();
        await().atMost(SOON).untilAsserted(() -> assertThat(page(edge, HONEST)).contains("a page"));
    }

    /** One answer with a length. */
    private static String read(RawHttp raw) {
        StringBuilder head = new StringBuilder();
        int length = 0;
        for (String line = raw.line(); !line.isEmpty(); line = raw.line()) {
            head.append(line).append('\n');
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring(16));
            }
        }
        return head + raw.bytes(length);
    }
}
