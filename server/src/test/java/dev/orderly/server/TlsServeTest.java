package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.testkit.server.ChildProcess;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.time.Time;
import dev.orderly.web.browser.Chromium;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** {@code orderly serve} with TLS as a process of its own. */
@Timeout(180)
class TlsServeTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    private final TestAuthority authority = new TestAuthority(Time.system().now());
    private HttpServer site = site();

    @TempDir
    private Path folder = Path.of("");

    private static HttpServer site() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @BeforeEach
    void serve() {
        site.createContext("/", exchange -> {
            byte[] body = ("<!doctype html><title>shop</title>" + exchange.getRequestHeaders()
                    .getFirst("X-Forwarded-Proto")).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        site.start();
    }

    @AfterEach
    void stop() {
        site.stop(0);
    }

    @Test
    void aSiteIsServedOverTlsWithoutAFileAndTakesNewCertificatesWhileItRuns() throws Exception {
        TestAuthority.Issued certificate = authority.issue("localhost");
        certificate.write(folder, "shop");
        try (ServerProcess server = ServerProcess.startIn(folder, folder.resolve("log"), "--origin",
                "http://127.0.0.1:" + site.getAddress().getPort(), "--capacity", "2", "--match", "/tickets/**",
                "--tls", "shop.pem,shop.key")) {
            String edge = server.edge().toString().replace("0.0.0.0", "localhost").replace("127.0.0.1", "localhost");
            assertThat(edge).startsWith("https://");
            HttpResponse<String> answer = get(edge + "/");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).endsWith("https");
            assertThat(get(edge + "/tickets/").headers().allValues("Set-Cookie"))
                    .allMatch(cookie -> cookie.startsWith("__Host-") && cookie.contains("; Secure"));
            curl(edge);
            refusesRenegotiation(server.edge().getPort());
            browse(edge + "/tickets/", certificate);
            await().atMost(SOON).until(() -> get(server.api() + "/health/ready").statusCode() == 200);
            assertThat(get(server.api() + "/health/ready").body()).doesNotContain("warnings");

            authority.issue("localhost", "renewed.example").write(folder, "shop");
            await().atMost(SOON).until(() -> Files.readString(folder.resolve("log")).contains("renewed.example"));
            assertThat(get(edge + "/").statusCode()).isEqualTo(200);
            Files.writeString(folder.resolve("shop.pem"), "nothing");
            await().atMost(SOON).until(() -> get(server.api() + "/health/ready").body().contains("no certificate"));
            assertThat(get(edge + "/").statusCode()).isEqualTo(200);
        }
    }

    /** A client of TLS 1.2 that asks for another handshake would cost a signature each time. */
    private void refusesRenegotiation(int port) throws Exception {
        try (SSLSocket socket = (SSLSocket) authority.clientContext().getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(Math.toIntExact(SOON.toMillis()));
            socket.setEnabledProtocols(new String[]{"TLSv1.2"});
            socket.startHandshake();
            assertThatThrownBy(() -> {
                socket.startHandshake();
                socket.getInputStream().read();
            }).isInstanceOf(SSLException.class);
        }
    }

    private void curl(String edge) throws Exception {
        String program = "curl";
        if (ChildProcess.installed(program).isEmpty()) {
            LoggerFactory.getLogger(TlsServeTest.class).error("NOT TESTED WITH CURL: no curl on the PATH");
            return;
        }
        Path root = Files.writeString(folder.resolve("root.pem"), authority.pem());
        ChildProcess.Ended ended = ChildProcess.run(List.of(program, "-sS", "-i", "--cacert", root.toString(),
                edge + "/"));
        assertThat(ended.out()).containsPattern("^HTTP/[0-9.]+ 200").contains("shop");
    }

    /** A Chromium that accepts the certificate by its key. */
    private static void browse(String page, TestAuthority.Issued certificate) throws Exception {
        String key = Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256")
                .digest(certificate.bundle().getCertificate().getPublicKey().getEncoded()));
        if (Chromium.isInstalled()) {
            try (Chromium browser = Chromium.start("--ignore-certificate-errors-spki-list=" + key)) {
                browser.open(page);
                assertThat(browser.title()).isEqualTo("shop");
                assertThat(browser.eval("location.protocol + document.body.textContent")).isEqualTo("https:https");
                assertThat(browser.cookies()).isNotEmpty().allMatch(
                        cookie -> cookie.getName().startsWith("__Host-orderly_") && cookie.isSecure());
            }
        }
    }

    private HttpResponse<String> get(String url) throws Exception {
        try (HttpClient http = HttpClient.newBuilder().sslContext(authority.clientContext()).build()) {
            return http.send(HttpRequest.newBuilder(java.net.URI.create(url)).timeout(SOON).build(),
                    BodyHandlers.ofString());
        }
    }
}
