package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.flow.Quota;
import dev.orderly.http.gateway.Gateway;
import dev.orderly.http.gateway.Origin;
import dev.orderly.http.health.HealthChecks;
import dev.orderly.http.health.Readiness.Check;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.web.edge.TrustedProxies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections that begin with the header of the PROXY protocol. */
class ProxyProtocolTest {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final String REQUEST = """
            GET /a HTTP/1.1\r
            Host: shop.example\r
            Connection: close\r
            X-Forwarded-For: 198.51.100.9\r
            \r
            """;
    private static final String CLIENT = "PROXY TCP4 203.0.113.7 127.0.0.1 56324 443\r\n";
    /** Version 2: the signature, PROXY over TCP and IPv4, 12 bytes: 203.0.113.8, 127.0.0.1, two ports. */
    private static final String CLIENT_V2 = new String(
            new byte[]{0xd, 0xa, 0xd, 0xa, 0, 0xd, 0xa, 0x51, 0x55, 0x49, 0x54,
                    0xa, 0x21, 0x11, 0, 12, (byte) 203, 0, 113, 8, 127, 0, 0, 1, 1, 1, 1, (byte) 187},
            StandardCharsets.ISO_8859_1);

    private final Orderly orderly = Orderly.open(new MemoryStore());
    private final RawOrigin origin = RawOrigin.saying("here");

    @AfterEach
    void close() {
        origin.close();
        orderly.close();
    }

    private EdgeServer edge(String trusted, HttpLimits limits) {
        TrustedProxies proxies = TrustedProxies.of(trusted);
        EdgeServer edge = new EdgeServer(transport(proxies), Routes.of(List.of(), orderly.engines().jobs()), limits,
                Gateway.of(List.of(Origin.all(origin.uri()))).withTrusted(proxies), EdgeHandlers.NONE);
        edge.start();
        return edge;
    }

    private static ListenerTransport transport(TrustedProxies proxies) {
        return ListenerTransport.plain(BindAddress.loopback(0)).withProxies(proxies::containPeer);
    }

    @Test
    void theAddressOfTheHeaderIsTheClientAndItsOwnClaimsDoNotCount() {
        try (EdgeServer edge = edge("127.0.0.1", HttpLimits.DEFAULT)) {
            assertThat(answer(edge, CLIENT + REQUEST)).startsWith("HTTP/1.1 200 ");
            assertThat(origin.requests).last().asString().contains("X-Forwarded-For: 203.0.113.7\r\n")
                    .doesNotContain("198.51.100.9");
            assertThat(answer(edge, CLIENT_V2 + REQUEST)).startsWith("HTTP/1.1 200 ");
            assertThat(origin.requests).last().asString().contains("X-Forwarded-For: 203.0.113.8\r\n");
            Check check = HealthChecks.edge(transport(TrustedProxies.NONE), edge::port);
            await().atMost(SOON).untilAsserted(() -> // a check has a time of its own
            assertThatCode(check.check()::run).doesNotThrowAnyException());
        }
    }

    @Test
    void aConnectionWithoutTheHeaderIsClosedAndReported() {
        try (LogLines lines = LogLines.of("dev.orderly.http.listener");
                EdgeServer edge = edge("127.0.0.1", HttpLimits.DEFAULT.withHead(Duration.ofMillis(300)))) {
            assertThat(answer(edge, REQUEST)).isEmpty();
            await().atMost(SOON).until(() -> lines.with("without the header of the PROXY").size() == 1);
            assertThat(answer(edge, "")).isEmpty(); // says nothing until the deadline of a head
        }
        assertThat(origin.requests).isEmpty();
    }

    @Test
    void connectionsWithoutAHeaderTakeAQuarterOfTheConnectionsAndGiveWayToNewOnes() throws Exception {
        HttpLimits limits = HttpLimits.DEFAULT.withHead(Duration.ofMinutes(30)).withIdle(Duration.ofHours(1))
                .withCapacity(HttpLimits.Capacity.DEFAULT.withConnections(Quota.Limit.of(16)));
        List<Socket> silent = new ArrayList<>();
        try (EdgeServer edge = edge("127.0.0.1", limits)) {
            for (int i = 0; i < 8; i++) {
                silent.add(new Socket(InetAddress.getLoopbackAddress(), edge.port()));
            }
            await().atMost(SOON).until(() -> silent.stream().filter(ProxyProtocolTest::isClosed).count() == 4);
            assertThat(answer(edge, CLIENT + REQUEST)).startsWith("HTTP/1.1 200 ");
            assertThat(answer(edge, CLIENT_V2 + REQUEST)).startsWith("HTTP/1.1 200 ");
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    private static boolean isClosed(Socket socket) {
        try {
            socket.setSoTimeout(1);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException _) {
            return false;
        } catch (IOException _) {
            return true;
        }
    }

    @Test
    void onlyATrustedProxyMayNameAClient() {
        try (LogLines lines = LogLines.of("dev.orderly.http.listener");
                EdgeServer edge = edge("10.0.0.0/8", HttpLimits.DEFAULT)) {
            assertThat(answer(edge, CLIENT + REQUEST)).isEmpty();
            assertThat(answer(edge, CLIENT + REQUEST)).isEmpty();
            assertThat(lines.with("is no trusted proxy")).hasSize(1);
            Check unready = HealthChecks.edge(ListenerTransport.plain(BindAddress.loopback(0)), edge::port);
            assertThatThrownBy(unready.check()::run).isInstanceOf(IllegalStateException.class);
        }
        assertThat(origin.requests).isEmpty();
    }

    private static String answer(EdgeServer edge, String bytes) {
        try (RawHttp raw = new RawHttp(edge.port())) {
            raw.offer(bytes);
            return raw.rest();
        }
    }
}
