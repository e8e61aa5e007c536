package dev.orderly.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.flow.Quota;
import dev.orderly.http.Proxied;
import dev.orderly.http.RawOrigin;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attackers open connections to an edge with TLS and do not go on; others are served all the same. */
@Tag("slow")
@Timeout(120)
class UnfinishedHandshakesTest {
    private static final TestAuthority AUTHORITY = new TestAuthority(Time.system().now());
    private static final ListenerTransport TLS = ListenerTransport.tls(BindAddress.loopback(0),
            ListenerTls.of(new CurrentCertificates(TestCertificates.of(AUTHORITY, "localhost"))));
    private static final Duration SOON = Duration.ofMinutes(1);
    /** A hundred handshakes at once, none of which ends by its deadline. */
    private static final HttpLimits LIMITS = HttpLimits.DEFAULT.withHead(Duration.ofMinutes(30))
            .withIdle(Duration.ofHours(1))
            .withCapacity(HttpLimits.Capacity.DEFAULT.withConnections(Quota.Limit.of(400)));
    private static final int ROUNDS = 10;
    private static final int EACH_ROUND = 33;

    private final RawOrigin origin = RawOrigin.saying("a page");
    private final Deque<Socket> open = new ArrayDeque<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
        origin.close();
    }

    private static Proxied edge(RawOrigin origin, HttpLimits limits, ListenerTransport transport) {
        return new Proxied(Proxied.to(origin), limits, transport);
    }

    /** An open connection that begins with these bytes. */
    private Socket connect(String from, int port, String first) throws IOException {
        Socket socket = new Socket();
        open.add(socket);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.getOutputStream().write(first.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** The answer to a request that comes over TLS after these bytes. */
    private String page(int port, String first) throws IOException {
        try (Socket tls = AUTHORITY.clientContext().getSocketFactory().createSocket(connect("127.0.0.1", port, first),
                "localhost", port, true)) {
            tls.getOutputStream().write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
            return new String(tls.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void threeAddressesThatDoNotGoOnKeepNobodyOut() throws IOException {
        try (Proxied edge = edge(origin, LIMITS, TLS)) {
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < EACH_ROUND; i++) {
                    connect("127.0.0." + (2 + i % 3), edge.port(), i % 2 == 0 ? "" : "\u0016\u0003\u0001");
                }
                assertThat(page(edge.port(), "")).endsWith("a page");
            }
        }
    }

    @Test
    void threeHundredAddressesOfOneCustomerKeepNobodyOut() throws IOException {
        try (Proxied edge = edge(origin, LIMITS, TLS.withProxies("127.0.0.1"::equals))) {
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < EACH_ROUND; i++) {
                    connect("127.0.0.1", edge.port(),
                            header("TCP6", "2001:db8:0:1%02x::%x".formatted(i * 7, round * EACH_ROUND + i)));
                }
                assertThat(page(edge.port(), header("TCP6", "2001:db8:0:200::1"))).endsWith("a page");
                assertThat(page(edge.port(), header("TCP6", "::ffff:198.51.100.7"))).endsWith("a page");
                assertThat(page(edge.port(), header("TCP4", "198.51.100.7"))).endsWith("a page");
            }
        }
    }

    private static String header(String family, String client) {
        return "PROXY " + family + " " + client + (family.equals("TCP6") ? " ::1" : " 127.0.0.1") + " 5000 443\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {
            // the header of the PROXY protocol, version 2, with 65,535 bytes of further fields
            "0d0a0d0a000d0a515549540a2111ffff",
            // the same in version 1
            "50524f585920544350342030",
            // after a header, a first message of TLS of 16 KiB
            "50524f585920544350342031302e302e302e31203132372e302e302e3120312034340d0a1603014000010038000303"})
    void bytesThatComeOneByOneDoNotProlongTheTime(String first) throws IOException {
        HttpLimits quick = LIMITS.withHead(Duration.ofSeconds(4));
        try (Proxied edge = edge(origin, quick, TLS.withProxies("127.0.0.1"::equals))) {
            Socket slow = connect("127.0.0.1", edge.port(),
                    new String(HexFormat.of().parseHex(first), StandardCharsets.ISO_8859_1));
            slow.setSoTimeout(1);
            await().atMost(SOON).pollInterval(Duration.ofMillis(50)).until(() -> isClosedAfterAnotherByte(slow));
        }
    }

    private static boolean isClosedAfterAnotherByte(Socket socket) {
        try {
            socket.getOutputStream().write('0');
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException _) {
            return false;
        } catch (IOException _) {
            return true;
        }
    }
}
