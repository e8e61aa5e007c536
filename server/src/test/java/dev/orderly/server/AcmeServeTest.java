package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.PebbleServer;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.testkit.tls.UncheckedTls;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Servers get their certificate from Pebble, a real ACME server, where it is installed. */
class AcmeServeTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String SECRET = "c2VjcmV0IG9mIHRoaXJ0eS10d28gYnl0ZXMgb3IgbW9yZSE=";

    @TempDir
    private Path folder = Path.of("");
    private Path identity = Path.of("");
    private Path known = Path.of("");
    private boolean tested;

    @BeforeEach
    void files() throws IOException {
        tested = PebbleServer.program().isPresent();
        if (!tested) {
            LoggerFactory.getLogger(AcmeServeTest.class)
                    .error("NOT TESTED AGAINST AN ACME SERVER: no pebble on the PATH");
        }
        TestAuthority authority = new TestAuthority(Time.system().now());
        TestAuthority.Issued own = authority.issue("localhost");
        identity = Files.writeString(folder.resolve("pebble.pem"), own.keyPem() + own.chainPem());
        known = Files.writeString(folder.resolve("known.pem"), authority.pem());
    }

    @Test
    void aServerServesFromTheStartAndWithTheIssuedCertificateSoonAfter() throws Exception {
        if (!tested) {
            return;
        }
        int redirect = FreePort.find();
        try (PebbleServer pebble = PebbleServer.start(folder, identity, redirect, FreePort.find());
                OrderlyServer server = start("sqlite:orderly.db", "acme", "redirect-port: " + redirect, 0, pebble)) {
            assertThat(issuer(server.edgePort())).isNotEmpty();
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(issuer(server.edgePort())).contains("Pebble"));
            assertThat(shown(server.edgePort()).getSubjectAlternativeNames())
                    .anySatisfy(name -> assertThat(String.valueOf(name.getLast())).isEqualTo("shop.test"));
            assertThat(folder.resolve("acme/account.pem")).exists();
        }
    }

    @Test
    void aServerWithoutPort80GetsItsCertificateByItsTlsPort() throws Exception {
        if (!tested) {
            return;
        }
        int edge = FreePort.find();
        try (PebbleServer pebble = PebbleServer.start(folder, identity, FreePort.find(), edge);
                OrderlyServer server = start("sqlite:orderly.db", "acme", "hsts: 1h", edge, pebble)) {
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(issuer(server.edgePort())).contains("Pebble"));
        }
    }

    @Test
    void nodesOfOneDatabaseGetOneCertificateAndEachAnswersTheChallenges() throws Exception {
        if (!tested) {
            return;
        }
        int[] redirects = {FreePort.find(), FreePort.find()};
        HttpServer port80 = inTurn(redirects);
        String store = "'" + PostgresServer.start().url() + "'";
        try (PebbleServer pebble = PebbleServer.start(folder, identity, port80.getAddress().getPort(),
                FreePort.find());
                OrderlyServer one = start(store, "one", "redirect-port: " + redirects[0], 0, pebble);
                OrderlyServer two = start(store, "two", "redirect-port: " + redirects[1], 0, pebble)) {
            AtomicInteger served = new AtomicInteger();
            await().atMost(PATIENCE).untilAsserted(() -> {
                for (OrderlyServer node : List.of(one, two)) {
                    assertThat(status(node)).as("no request fails on the way").isEqualTo(404);
                    served.incrementAndGet();
                }
                assertThat(issuer(one.edgePort())).contains("Pebble");
                assertThat(shown(two.edgePort())).isEqualTo(shown(one.edgePort()));
            });
            assertThat(served).hasPositiveValue();
            assertThat(folder.resolve("one/account.pem")).as("the account is in the store").doesNotExist();
        } finally {
            port80.stop(0);
        }
    }

    private OrderlyServer start(String store, String own, String more, int edge, PebbleServer pebble)
            throws IOException {
        Path file = Files.writeString(folder.resolve(own + ".yaml"), """
                store: %s
                edge:
                  host: 127.0.0.1
                  port: %d
                  %s
                  tls: { acme: { domains: [shop.test], directory: "%s", authorities: "%s", folder: %s } }
                admin: { port: 0 }
                queues: { mail: {} }
                routes: [ { post: /mail, queue: mail } ]
                """.formatted(store, edge, more, pebble.directory(), known, own));
        return ServerInTest.start(file, Map.of(Secrets.VARIABLE, SECRET));
    }

    /** Port 80 of the domain: leads each request to the next of the nodes. */
    private static HttpServer inTurn(int[] ports) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger requests = new AtomicInteger();
        HttpClient client = HttpClient.newHttpClient();
        server.createContext("/", exchange -> {
            URI node = URI.create("http://127.0.0.1:" + ports[requests.getAndIncrement() % ports.length]
                    + exchange.getRequestURI());
            try {
                HttpResponse<byte[]> answer = client.send(HttpRequest.newBuilder(node).build(),
                        HttpResponse.BodyHandlers.ofByteArray());
                exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
                exchange.getResponseBody().write(answer.body());
            } catch (InterruptedException e) {
                throw new IOException(e);
            } finally {
                exchange.close();
            }
        });
        server.start();
        return server;
    }

    private static int status(OrderlyServer node) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().sslContext(UncheckedTls.context()).build()) {
            return client.send(HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + node.edgePort() + "/none"))
                    .build(), HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    private static String issuer(int port) throws Exception {
        return shown(port).getIssuerX500Principal().getName();
    }

    /** The certificate that the server shows now. */
    private static X509Certificate shown(int port) throws Exception {
        try (SSLSocket socket = (SSLSocket) UncheckedTls.context().getSocketFactory().createSocket("127.0.0.1",
                port)) {
            socket.startHandshake();
            return (X509Certificate) List.of(socket.getSession().getPeerCertificates()).getFirst();
        }
    }
}
