package dev.orderly.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.flow.Quota;
import dev.orderly.http.Proxied;
import dev.orderly.http.RawHttp;
import dev.orderly.http.RawOrigin;
import dev.orderly.http.RedirectServer;
import dev.orderly.http.acme.OpenChallenges;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.room.RoomNode;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.time.Time;
import dev.orderly.web.browser.Guest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An edge with TLS in front of a room and an origin, by each library. */
@Timeout(120)
@ParameterizedClass
@EnumSource(TlsLibrary.class)
class TlsListenerTest {
    private static final TestAuthority AUTHORITY = new TestAuthority(Time.system().now());
    private static final HostCertificates CERTIFICATES = TestCertificates.of(AUTHORITY, "localhost", "shop.example",
            "*.wild.example");

    private final TlsLibrary library;
    private @Nullable RoomNode node;

    TlsListenerTest(TlsLibrary library) {
        this.library = library;
    }

    private final CurrentCertificates certificates = new CurrentCertificates(CERTIFICATES);

    @AfterEach
    void close() {
        if (node != null) {
            node.close();
        }
    }

    private RoomNode node() {
        return node(HttpLimits.DEFAULT);
    }

    private RoomNode node(HttpLimits limits) {
        RoomNode made = new RoomNode(RoomNode.ONE_INSIDE, limits, new ListenerTls(certificates, null, library),
                AUTHORITY.clientContext(), HttpClient.Version.HTTP_1_1);
        node = made;
        return made;
    }

    @Test
    void aVisitorOverTlsGetsGuardedCookiesAndTheOriginKnowsOfTls() {
        RoomNode node = node();
        Guest guest = new Guest(node);
        guest.get("/tickets/a");
        var inside = guest.get("/tickets/a");
        assertThat(inside.statusCode()).isEqualTo(200);
        assertThat(inside.headers().firstValue("Saw-Proto")).contains("https");
        assertThat(inside.headers().firstValue("Strict-Transport-Security")).contains("max-age=3600");
        assertThat(guest.cookies.keySet()).allMatch(name -> name.startsWith("__Host-orderly_"));
        var waiting = new Guest(node).page("/tickets/a", "en");
        assertThat(waiting.statusCode()).isEqualTo(503);
        assertThat(waiting.headers().allValues("Set-Cookie")).allMatch(cookie -> cookie.contains("; Secure"));
    }

    @Test
    void eventsArriveOverTlsWhileTheyAreWritten() throws Exception {
        RoomNode node = node();
        Guest.inside(node);
        Guest waiting = new Guest(node);
        waiting.get("/tickets/a");
        try (Stream<String> lines = node.client().send(node.at("/.orderly/rooms/sale/events")
                .header("Cookie", waiting.jar()).build(), BodyHandlers.ofLines()).body()) {
            assertThat(lines.filter(line -> line.startsWith("retry:")).findFirst()).isPresent();
        }
    }

    @Test
    void aWebSocketToTheOriginPassesBothWays() throws Exception {
        try (RawOrigin origin = RawOrigin.echo();
                Proxied edge = new Proxied(Proxied.to(origin), new ListenerTls(certificates, null, library));
                SSLSocket socket = (SSLSocket) AUTHORITY.clientContext().getSocketFactory()
                        .createSocket("localhost", edge.port())) {
            OutputStream out = socket.getOutputStream();
            InputStream in = socket.getInputStream();
            out.write("""
                    GET /ws HTTP/1.1\r
                    Host: localhost\r
                    Connection: Upgrade\r
                    Upgrade: websocket\r
                    Sec-WebSocket-Key: k\r
                    \r
                    """.getBytes(StandardCharsets.US_ASCII));
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            assertThat(head.toString()).startsWith("HTTP/1.1 101 ");
            assertThat(new String(in.readNBytes(3), StandardCharsets.US_ASCII)).isEqualTo("hi!");
            byte[] large = "x".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII);
            try (ExecutorService sender = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<?> sent = sender.submit(() -> {
                    out.write(large);
                    return null;
                });
                assertThat(in.readNBytes(large.length)).isEqualTo(large);
                sent.get();
            }
        }
    }

    @Test
    void aClientGetsTheCertificateForTheHostThatItNames() throws Exception {
        RoomNode node = node();
        assertThat(names(node, "shop.example")).containsExactly("shop.example");
        assertThat(names(node, "SHOP.example")).containsExactly("shop.example");
        assertThat(names(node, "a.wild.example")).containsExactly("*.wild.example");
        assertThat(names(node, "a.b.wild.example")).containsExactly("localhost");
        assertThat(names(node, null)).containsExactly("localhost");
    }

    @Test
    void onlyTls12And13AreSpokenWithForwardSecrecy() throws Exception {
        RoomNode node = node();
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
            try (SSLSocket socket = socket(node, null)) {
                socket.setEnabledProtocols(new String[]{version});
                socket.startHandshake();
                assertThat(socket.getSession().getProtocol()).isEqualTo(version);
                assertThat(socket.getSession().getCipherSuite()).containsPattern("_GCM_|CHACHA20")
                        .doesNotStartWith("TLS_RSA_");
            }
        }
        try (SSLSocket socket = socket(node, null)) {
            socket.setEnabledProtocols(new String[]{"TLSv1.2"});
            socket.setEnabledCipherSuites(new String[]{"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256"});
            assertThatThrownBy(socket::startHandshake).isInstanceOf(SSLHandshakeException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void sessionsAreResumedAfterCertificatesWereReplaced(String version) throws Exception {
        RoomNode node = node();
        SSLContext client = AUTHORITY.clientContext();
        long first = began(node, client, version);
        certificates.replace(new HostCertificates(List.of(certificates.get().all().getFirst(),
                TestCertificates.of(AUTHORITY, "other.example").all().getFirst())));
        assertThat(began(node, client, version)).isEqualTo(first);
        assertThat(began(node, AUTHORITY.clientContext(), version)).isNotEqualTo(first);
        if (library == TlsLibrary.BORINGSSL) { // the JDK asks for the same certificate
            certificates.replace(TestCertificates.of(AUTHORITY, "localhost"));
            certificates.replace(TestCertificates.of(AUTHORITY, "third.example"));
            assertThat(began(node, client, version)).isEqualTo(first);
        }
    }

    /** The time of the full handshake of a session. */
    private static long began(RoomNode node, SSLContext client, String version) throws IOException {
        try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", node.edge.port())) {
            socket.setEnabledProtocols(new String[]{version});
            exchange(socket); // tickets come with the answer
            return socket.getSession().getCreationTime();
        }
    }

    @Test
    void aClientGetsACertificateWithASignatureThatItAccepts() throws Exception {
        RoomNode node = node();
        certificates.replace(
                TestCertificates.of(AUTHORITY.issue(TestKeys.rsa(0), "localhost"), AUTHORITY.issue("localhost")));
        assertThat(suite(node)).contains("_ECDSA_");
        assertThat(suite(node, "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")).contains("_RSA_");
        certificates.replace(TestCertificates.of(AUTHORITY.issueEd448("localhost")));
        try (SSLSocket socket = socket(node, "localhost")) {
            exchange(socket); // BoringSSL does not know the algorithm
        }
    }

    private static String suite(RoomNode node, String... only) throws IOException {
        try (SSLSocket socket = socket(node, "localhost")) {
            socket.setEnabledProtocols(new String[]{"TLSv1.2"});
            if (only.length > 0) {
                socket.setEnabledCipherSuites(only);
            }
            socket.startHandshake();
            return socket.getSession().getCipherSuite();
        }
    }

    @Test
    void aClientNeedsACertificateOfTheAuthoritiesWhereItIsRequired() throws Exception {
        TestAuthority others = new TestAuthority(Time.system().now());
        for (boolean required : new boolean[]{true, false}) {
            ListenerTls tls = new ListenerTls(certificates, new ClientAuthorities(List.of(AUTHORITY.certificate()),
                    required), library);
            try (RoomNode edge = new RoomNode(RoomNode.ONE_INSIDE, HttpLimits.DEFAULT, tls, AUTHORITY.clientContext(),
                    HttpClient.Version.HTTP_1_1)) {
                assertThat(isServed(edge, AUTHORITY.clientContext(AUTHORITY.issueClient("ann")))).isTrue();
                assertThat(isServed(edge, AUTHORITY.clientContext(others.issueClient("eve")))).isFalse();
                assertThat(isServed(edge, AUTHORITY.clientContext())).isEqualTo(!required);
            }
        }
    }

    private static boolean isServed(RoomNode node, SSLContext client) throws IOException {
        try (SSLSocket socket = (SSLSocket) client.getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), node.edge.port())) {
            exchange(socket);
            return true;
        } catch (SSLException | SocketException _) {
            return false;
        }
    }

    @Test
    void certificatesAreReplacedUnderLoadWithoutAFailedRequest() throws Exception {
        RoomNode node = node();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                running.add(clients.submit(() -> {
                    while (!stop.get()) {
                        request(node); // a connection and a handshake each
                        answered.incrementAndGet();
                    }
                    return null;
                }));
            }
            for (int i = 0; i < 10; i++) {
                int before = answered.get();
                certificates.replace(TestCertificates.of(AUTHORITY, i % 2 == 0 ? "other.example" : "localhost"));
                await().atMost(Duration.ofMinutes(1)).until(() -> answered.get() >= before + 5);
            }
            stop.set(true);
            for (Future<?> one : running) {
                one.get(); // throws if a request failed
            }
        }
        assertThat(names(node, null)).containsExactly("localhost");
    }

    private static void request(RoomNode node) throws IOException {
        try (SSLSocket socket = socket(node, "localhost")) {
            exchange(socket);
        }
    }

    private static void exchange(SSLSocket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write("GET /robots.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                .getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        String answer = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("origin /robots.txt");
    }

    @Test
    void aHandshakeCountsAsAConnectionAndEndsAtItsDeadline() throws Exception {
        HttpLimits limits = HttpLimits.DEFAULT.withHead(Duration.ofSeconds(2))
                .withCapacity(HttpLimits.Capacity.DEFAULT.withConnections(Quota.Limit.of(16)));
        RoomNode node = node(limits);
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            silent.add(new Socket(InetAddress.getLoopbackAddress(), node.edge.port()));
        }
        try {
            // a quarter of the connections may be in their handshake, the rest is closed at once
            await().atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(closed(silent)).isGreaterThanOrEqualTo(4));
            await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(closed(silent)).isEqualTo(8));
            request(node);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    private static int closed(List<Socket> sockets) throws IOException {
        int closed = 0;
        for (Socket socket : sockets) {
            socket.setSoTimeout(1);
            try {
                closed += socket.getInputStream().read() < 0 ? 1 : 0;
            } catch (java.net.SocketTimeoutException _) {
                // open
            } catch (IOException _) {
                closed++;
            }
        }
        return closed;
    }

    @Test
    void thePlainPortSendsEveryRequestToTheSameAddressOverTls() {
        RoomNode node = node();
        try (RedirectServer redirect = new RedirectServer(BindAddress.loopback(0), HttpLimits.DEFAULT,
                node.edge::port, new OpenChallenges())) {
            redirect.start();
            String same = "localhost:" + redirect.port();
            assertThat(redirected(redirect, "GET /a/b?c=%20d HTTP/1.1", same))
                    .contains("HTTP/1.1 308 ", "https://localhost:" + node.edge.port() + "/a/b?c=%20d");
            assertThat(redirected(redirect, "POST / HTTP/1.1", "Shop.Example"))
                    .contains("HTTP/1.1 308 ", "ocation: https://shop.example/\r\n");
            assertThat(redirected(redirect, "GET /.well-known/acme-challenge/x HTTP/1.1", same))
                    .startsWith("HTTP/1.1 404 ");
            assertThat(redirected(redirect, "GET / HTTP/1.1", "a b")).startsWith("HTTP/1.1 400 ");
        }
    }

    private static String redirected(RedirectServer redirect, String line, String host) {
        try (RawHttp raw = new RawHttp(redirect.port())) {
            raw.send(line + "\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
            return raw.rest();
        }
    }

    private static List<String> names(RoomNode node, @Nullable String host) throws IOException {
        try (SSLSocket socket = socket(node, host)) {
            socket.startHandshake();
            return names(socket);
        } catch (CertificateParsingException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> names(SSLSocket socket) throws IOException, CertificateParsingException {
        X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
        return certificate.getSubjectAlternativeNames().stream().map(name -> String.valueOf(name.get(1))).toList();
    }

    private static SSLSocket socket(RoomNode node, @Nullable String host) throws IOException {
        SSLSocket socket = (SSLSocket) AUTHORITY.clientContext().getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), node.edge.port());
        if (host != null) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(host)));
            socket.setSSLParameters(parameters);
        }
        return socket;
    }
}
