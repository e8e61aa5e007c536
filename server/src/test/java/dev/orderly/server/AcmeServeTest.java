package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.config.Config;
import dev.orderly.config.reader.ConfigFile;
import dev.orderly.config.reader.ConfigResult;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.PebbleServer;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.time.Time;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A server gets its certificate from Pebble, a real ACME server, where it is installed. */
class AcmeServeTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void aServerServesFromTheStartAndWithTheIssuedCertificateSoonAfter() throws Exception {
        if (PebbleServer.program().isEmpty()) {
            LoggerFactory.getLogger(AcmeServeTest.class)
                    .error("NOT TESTED AGAINST AN ACME SERVER: no pebble on the PATH");
            return;
        }
        TestAuthority authority = new TestAuthority(Time.system().now());
        TestAuthority.Issued own = authority.issue("localhost");
        Path identity = Files.writeString(folder.resolve("pebble.pem"), own.keyPem() + own.chainPem());
        Path known = Files.writeString(folder.resolve("known.pem"), authority.pem());
        int redirect = FreePort.find();
        try (PebbleServer pebble = PebbleServer.start(folder, identity, redirect);
                OrderlyServer server = OrderlyServer.start(config(pebble, known, redirect), Map.of())) {
            assertThat(shown(server.edgePort()).getIssuerX500Principal().getName()).isNotEmpty();
            Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(
                    shown(server.edgePort()).getIssuerX500Principal().getName()).contains("Pebble"));
            assertThat(shown(server.edgePort()).getSubjectAlternativeNames())
                    .anySatisfy(name -> assertThat(String.valueOf(name.getLast())).isEqualTo("shop.test"));
            assertThat(folder.resolve("acme/account.pem")).exists();
        }
    }

    private Config config(PebbleServer pebble, Path known, int redirect) throws IOException {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge:
                  host: 127.0.0.1
                  port: 0
                  redirect-port: %d
                  tls: { acme: { domains: [shop.test], directory: "%s", authorities: "%s", folder: acme } }
                admin: { port: 0 }
                queues: { mail: {} }
                routes: [ { post: /mail, queue: mail } ]
                """.formatted(redirect, pebble.directory(), known));
        return switch (new ConfigFile(file, Map.of()).read()) {
            case ConfigResult.Valid(Config config) -> config;
            case ConfigResult.Invalid(var problems) -> throw new AssertionError(problems);
        };
    }

    /** The certificate that the server shows now. */
    private static X509Certificate shown(int port) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[]{new Trusting()}, null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
            socket.startHandshake();
            return (X509Certificate) List.of(socket.getSession().getPeerCertificates()).getFirst();
        }
    }

    /** Trusts everybody: the test looks at the certificate itself. */
    private static final class Trusting extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
