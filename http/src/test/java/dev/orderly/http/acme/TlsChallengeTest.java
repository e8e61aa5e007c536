package dev.orderly.http.acme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.http.acme.OpenChallenges.Answers;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.http.listener.ClientKeys;
import dev.orderly.http.listener.Clients;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.listener.HttpListener;
import dev.orderly.http.listener.ListenerTransport;
import dev.orderly.http.tls.CertificateFiles;
import dev.orderly.http.tls.CertificatePassword;
import dev.orderly.http.tls.CertificateSource;
import dev.orderly.http.tls.ListenerTls;
import dev.orderly.http.tls.TestKeys;
import dev.orderly.http.tls.TlsLibrary;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.testkit.tls.UncheckedTls;
import dev.orderly.time.Time;
import dev.orderly.web.message.Response;
import dev.orderly.web.route.RequestRouter.Match;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.shredzone.acme4j.challenge.TlsAlpn01Challenge;

/** A listener answers an authority's handshakes, and no other handshake is disturbed. */
@Timeout(60)
@ParameterizedClass
@EnumSource(TlsLibrary.class)
class TlsChallengeTest {
    private static final TestAuthority AUTHORITY = new TestAuthority(Time.system().now());
    private static final byte[] VALIDATION = new byte[32];

    @TempDir
    private Path folder = Path.of("");
    private final OpenChallenges challenges = new OpenChallenges(() -> TestKeys.rsa(0));
    private final TlsLibrary library;
    private @Nullable HttpListener listener;

    TlsChallengeTest(TlsLibrary library) {
        this.library = library;
    }

    @BeforeEach
    void start() throws Exception {
        TestAuthority.Issued issued = AUTHORITY.issue("localhost", "shop.example");
        Path file = Files.writeString(folder.resolve("own.pem"), issued.keyPem() + issued.chainPem());
        CertificateFiles files = CertificateFiles.read(
                List.of(new CertificateSource(file, null, CertificatePassword.NONE)), List.of(), Time.system());
        HttpListener made = new HttpListener("test", ListenerTransport
                .tls(new BindAddress("127.0.0.1", 0), new ListenerTls(files.current(), null, library))
                .withChallenges(challenges),
                HttpLimits.DEFAULT, Clients.by(ClientKeys.PEERS),
                _ -> _ -> new Match.Immediate(Response.text(200, "served")));
        made.start();
        listener = made;
        challenges.replace(new Answers(Map.of(), Map.of("Shop.example", Answers.text(VALIDATION))));
    }

    @AfterEach
    void stop() {
        listener().close();
    }

    @Test
    void aHandshakeOfTheAuthorityGetsTheCertificateOfItsChallengeAndNothingElse() throws Exception {
        try (SSLSocket socket = socket("shop.example", TlsAlpn01Challenge.ACME_TLS_1_PROTOCOL)) {
            socket.startHandshake();
            assertThat(socket.getApplicationProtocol()).isEqualTo(TlsAlpn01Challenge.ACME_TLS_1_PROTOCOL);
            X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            assertThat(shown.getCriticalExtensionOIDs()).contains(TlsAlpn01Challenge.ACME_VALIDATION_OID);
            assertThat(shown.getSubjectAlternativeNames()).singleElement().satisfies(
                    name -> assertThat(String.valueOf(name.getLast())).isEqualToIgnoringCase("shop.example"));
            assertThat(socket.getInputStream().read()).as("the end of the connection").isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void visitorsAreServedWhileAChallengeIsOpen(HttpClient.Version version) throws Exception {
        HttpResponse<String> answer = get(version);
        assertThat(answer.body()).isEqualTo("served");
        assertThat(answer.version()).isEqualTo(version);
    }

    @Test
    void withoutAChallengeOfItsHostAHandshakeGetsTheUsualCertificate() throws Exception {
        assertThat(issuer("localhost", TlsAlpn01Challenge.ACME_TLS_1_PROTOCOL)).contains("Test intermediate");
        assertThat(issuer("shop.example", "h2")).contains("Test intermediate");
        challenges.replace(Answers.NONE);
        assertThat(issuer("shop.example", TlsAlpn01Challenge.ACME_TLS_1_PROTOCOL)).contains("Test intermediate");
    }

    private HttpListener listener() {
        return Objects.requireNonNull(listener);
    }

    private String issuer(String host, String protocol) throws Exception {
        try (SSLSocket socket = socket(host, protocol)) {
            socket.startHandshake();
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getIssuerX500Principal().getName();
        }
    }

    private SSLSocket socket(String host, String protocol) throws Exception {
        SSLSocket socket = (SSLSocket) UncheckedTls.context().getSocketFactory().createSocket("127.0.0.1",
                listener().port());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(host)));
        parameters.setApplicationProtocols(new String[]{protocol});
        socket.setSSLParameters(parameters);
        return socket;
    }

    private HttpResponse<String> get(HttpClient.Version version) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newBuilder().sslContext(AUTHORITY.clientContext()).version(version)
                .build()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("https://localhost:" + listener().port() + "/")).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
