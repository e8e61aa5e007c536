package dev.orderly.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.config.source.ConfigProblem;
import dev.orderly.http.acme.AcmeChallenge;
import dev.orderly.http.tls.CertificatePassword;
import dev.orderly.http.tls.CertificateSource;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.time.Time;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TlsConfigTest extends ConfigTrial {
    private static final TestAuthority AUTHORITY = new TestAuthority(Time.system().now());

    TlsConfigTest() {
        super("store: sqlite:orderly.db\n");
    }

    @Test
    void certificatesAreFilesOfTheConfigurationsFolder() {
        AUTHORITY.issue("shop.example").write(folder, "shop");
        AUTHORITY.issue("www.example").writePkcs12(folder.resolve("www.p12"), "sesame");
        environment.put("WWW_PASSWORD", "sesame");
        Config config = valid("""
                edge:
                  tls:
                    certificate: shop.pem
                    key: shop.key
                    sni: [ { certificate: www.p12, password-env: WWW_PASSWORD } ]
                  redirect-port: 80
                  hsts: 1h
                  origin: { url: "http://127.0.0.1:9000", hosts: [shop.example, other.example] }
                """.replace("origin: {", "origin:\n    - {"));
        assertThat(Objects.requireNonNull(config.edge().tls()).certificates()).containsExactly(
                CertificateSource.pem(folder.resolve("shop.pem"), folder.resolve("shop.key")),
                CertificateSource.pkcs12(folder.resolve("www.p12"), new CertificatePassword.Text("sesame")));
        assertThat(config.site().https()).isEqualTo(new Config.Https(80, Duration.ofHours(1)));
        assertThat(config.inForce()).contains("with TLS by ", "shop.pem", "redirect-port: 80")
                .doesNotContain("sesame");
        assertThat(config.warnings(Time.system().now())).anyMatch(line -> line.contains("No certificate is for other"));
        assertThat(config.toString()).doesNotContain("sesame");
    }

    @Test
    void anAuthorityLooksAtPort80WhereARedirectListensAndAtTheTlsPortOtherwise() {
        for (var each : Map.of("redirect-port: 80, ", AcmeChallenge.HTTP_01, "", AcmeChallenge.TLS_ALPN_01)
                .entrySet()) {
            TlsConfig tls = valid("edge: { " + each.getKey() + "tls: { acme: { domains: [shop.example] } } }\n").edge()
                    .tls();
            assertThat(Objects.requireNonNull(Objects.requireNonNull(tls).acme()).challenge())
                    .isEqualTo(each.getValue());
        }
    }

    @Test
    void withoutTlsNothingIsRead() {
        Config config = valid("");
        assertThat(config.edge().tls()).isNull();
        assertThat(config.site().https()).isEqualTo(Config.Https.NONE);
        assertThat(config.warnings(Time.system().now())).isEmpty();
    }

    @Test
    void faultsOfFilesAreProblemsOfTheirKeys() {
        AUTHORITY.issue("shop.example").write(folder, "shop");
        AUTHORITY.issue("www.example").write(folder, "www");
        refuses("tls: { certificate: none.pem, key: shop.key }", "There is no file");
        refuses("tls: { certificate: shop.pem, key: www.key }", "does not belong");
        refuses("tls: { key: shop.key }", "TLS needs a certificate");
        refuses("tls: { certificate: shop.pem, key: shop.key, sni: [ { certificate: www.pem } ] }", "no private key");
        refuses("tls: { certificate: shop.pem, key: shop.key, password-env: NOT_SET }", "is not set");
        refuses("redirect-port: 80", "no TLS to redirect to");
        refuses("redirect-port: 80, tls: { acme: { domains: [shop.example] }, certificate: shop.pem, key: shop.key }",
                "acme and certificate");
        refuses("redirect-port: 80, tls: { acme: { domains: [] } }", "one or more");
        refuses("redirect-port: 80, tls: { acme: { domains: [shop.example], directory: 'http://a.example' } }",
                "https address");
        refuses("tls: { acme: { domains: [shop.example], challenge: http-01 } }", "port 80 of each domain");
        refuses("tls: { acme: { domains: [shop.example], challenge: dns-01 } }", "http-01 or tls-alpn-01");
        refuses("port: 443, redirect-port: 443, tls: { certificate: shop.pem, key: shop.key }", "Another listener");
    }

    @Test
    void theApiMayAskForCertificatesOfItsClients() throws Exception {
        AUTHORITY.issue("api.example").write(folder, "api");
        Files.writeString(folder.resolve("ca.pem"), AUTHORITY.pem());
        String tls = "admin: { tls: { certificate: api.pem, key: api.key";
        assertThat(clients(tls + ", clients: ca.pem } }")).isEqualTo(
                new TlsConfig.Clients(folder.resolve("ca.pem"), true));
        assertThat(clients(tls + ", clients: ca.pem, clients-required: false } }")).isEqualTo(
                new TlsConfig.Clients(folder.resolve("ca.pem"), false));
        assertThat(clients(tls + " } }")).isNull();
        assertThat(problems(tls + ", clients: api.key } }")).singleElement()
                .satisfies(problem -> assertThat(problem.toString()).contains("admin.tls.clients", "no certificate"));
        assertThat(problems(tls + ", clients-required: true } }")).singleElement()
                .satisfies(problem -> assertThat(problem.toString()).contains("no authorities of clients"));
        assertThat(problems("edge: { tls: { certificate: api.pem, key: api.key, clients: ca.pem } }")).singleElement()
                .satisfies(problem -> assertThat(problem.toString()).contains("edge.tls.clients"));
    }

    private TlsConfig.@Nullable Clients clients(String file) {
        return Objects.requireNonNull(valid(file).admin().tls()).clients();
    }

    private void refuses(String edge, String rule) {
        List<ConfigProblem> problems = problems("edge: { " + edge + " }\n");
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.key()).startsWith("edge.");
            assertThat(problem.rule()).contains(rule);
            assertThat(problem.remedy()).isNotBlank();
        });
    }
}
