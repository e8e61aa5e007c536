package dev.orderly.http.acme;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.PebbleServer;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Certificates from Pebble, a real ACME server, where it is installed. */
class PebbleTest {
    private static final List<String> DOMAINS = List.of("shop.test", "www.shop.test");
    private static final Time TIME = Time.system();

    @TempDir
    private Path folder = Path.of("");
    private final OpenChallenges challenges = new OpenChallenges();
    private @Nullable HttpServer port80;
    private @Nullable PebbleServer pebble;
    private Path identity = Path.of("");

    @BeforeEach
    void start() throws Exception {
        if (PebbleServer.program().isEmpty()) {
            LoggerFactory.getLogger(PebbleTest.class).error("NOT TESTED AGAINST AN ACME SERVER: no pebble on the PATH");
            return;
        }
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = challenges.answer(exchange.getRequestURI().getPath()).orElse("")
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(body.length == 0 ? 404 : 200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        port80 = server;
        AcmeFolder own = new AcmeFolder(folder.resolve("pebble"));
        own.standIn(List.of("localhost"), TIME.now());
        identity = own.certificateFile();
        pebble = PebbleServer.start(folder, identity, server.getAddress().getPort(), FreePort.find());
    }

    @AfterEach
    void stop() {
        if (pebble != null && port80 != null) {
            pebble.close();
            port80.stop(0);
        }
    }

    @Test
    void aCertificateForAllDomainsIsIssuedTwiceWithOneAccount() throws IOException {
        if (pebble == null) {
            return;
        }
        AcmeRenewal first = renewal(pebble.directory(), challenges);
        first.step();
        assertThat(first.faults()).isEmpty();
        String issued = Files.readString(first.certificate());
        String account = Files.readString(folder.resolve("acme/account.pem"));

        Files.delete(first.certificate());
        AcmeRenewal second = renewal(pebble.directory(), challenges);
        second.step();
        assertThat(second.faults()).isEmpty();
        assertThat(Files.readString(second.certificate())).isNotEqualTo(issued).contains("BEGIN PRIVATE KEY");
        assertThat(folder.resolve("acme/account.pem")).hasContent(account);
    }

    @Test
    void aDomainThatLeadsElsewhereIsAFaultThatNamesDomainAndPort() throws IOException {
        if (pebble == null) {
            return;
        }
        AcmeRenewal renewal = renewal(pebble.directory(), new OpenChallenges());
        assertThat(renewal.step()).isLessThan(Duration.ofMinutes(2));
        assertThat(renewal.faults()).singleElement().asString().contains("shop.test", "port 80", "redirect-port");
    }

    @Test
    void anAuthorityOutOfReachIsAFault() throws IOException {
        Files.createDirectories(folder.resolve("pebble"));
        AcmeRenewal renewal = renewal(URI.create("https://localhost:1/dir"), challenges);
        renewal.step();
        assertThat(renewal.faults()).singleElement().asString().contains("localhost:1", "check the address");
    }

    private AcmeRenewal renewal(URI directory, OpenChallenges open) throws IOException {
        return AcmeRenewal.of(new AcmeOptions(DOMAINS, "ops@shop.test", directory,
                Objects.requireNonNull(identity).toString().isEmpty() ? null : identity, folder.resolve("acme"),
                AcmeChallenge.HTTP_01), open, new UnsharedValues(new MemoryStore().keyValues()), List::of, TIME);
    }
}
