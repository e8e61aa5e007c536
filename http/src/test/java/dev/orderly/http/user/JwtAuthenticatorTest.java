package dev.orderly.http.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.testkit.ManualTime;
import dev.orderly.web.message.HeaderList;
import dev.orderly.web.message.Headers;
import dev.orderly.web.message.RequestHead;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import dev.orderly.web.user.Authentication;
import dev.orderly.web.user.Authentication.Anonymous;
import dev.orderly.web.user.Authentication.Known;
import dev.orderly.web.user.Authentication.Rejected;
import dev.orderly.web.user.Authentication.Unavailable;
import dev.orderly.web.user.Authenticator;
import dev.orderly.web.user.PageOrigins;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JwtAuthenticatorTest {
    private final ManualTime time = new ManualTime();
    private final String ada = Tokens.of("ada", time.now().plusSeconds(600));
    private final String bob = Tokens.of("bob", time.now().plusSeconds(600));
    private final String wrong = Tokens.hs256(Tokens.claims("eve", time.now().plusSeconds(600)), new byte[32]);
    private final UserOptions options = UserOptions.of(new TokenSource.Secret(Tokens.SECRET)).withCookie("session")
            .withPages(new PageOrigins(List.of("https://app.example")));
    private final Authenticator users = JwtAuthenticator.of(options, time);

    @Test
    void theBearerCountsBeforeTheCookie() {
        assertThat(of("Authorization", "Bearer " + ada)).isEqualTo("ada");
        assertThat(of("Authorization", "bearer   " + ada + " ")).isEqualTo("ada");
        assertThat(of("Cookie", "a=b; session=" + ada + "; c=d")).isEqualTo("ada");
        assertThat(of("Authorization", "Bearer " + ada, "Cookie", "session=" + bob)).isEqualTo("ada");
        assertThat(of()).isEqualTo("nobody");
    }

    @Test
    void anInvalidBearerIsRejectedEvenBesideAValidCookie() {
        for (String bearer : List.of("Bearer " + wrong, "Bearer", "Bearer  ", "Bearer " + ada + ", Bearer " + ada,
                "Bearer " + ada + " x", "Bearer " + "a".repeat(100_000), "Bearer \u00e4")) {
            assertThat(of("Authorization", bearer, "Cookie", "session=" + bob)).isEqualTo("rejected");
        }
    }

    @Test
    void twoBearersAreRejected() {
        assertThat(of("Authorization", "Bearer " + ada, "Authorization", "Bearer " + ada)).isEqualTo("rejected");
    }

    @Test
    void credentialsOfOtherSchemesAreIgnored() {
        assertThat(of("Authorization", "Basic YTpi", "Cookie", "session=" + ada)).isEqualTo("ada");
        assertThat(of("Authorization", "Orderly x", "Authorization", "Bearer " + ada)).isEqualTo("ada");
        assertThat(of("Authorization", "Bearerish " + ada)).isEqualTo("nobody");
    }

    @Test
    void anInvalidCookieIsIgnored() {
        for (String cookie : List.of("session=" + wrong, "session=", "session", "Session=" + ada, "xsession=" + ada,
                "session=" + ada + "x", "other=session=" + ada)) {
            assertThat(of("Cookie", cookie)).as(cookie).isEqualTo("nobody");
        }
    }

    @Test
    void severalCookiesOfTheSameNameAreIgnored() {
        assertThat(of("Cookie", "session=" + ada + "; session=" + ada)).isEqualTo("nobody");
        assertThat(of("Cookie", "session=" + ada, "Cookie", "session=" + bob)).isEqualTo("nobody");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site", "nonsense"})
    void aCookieSentByAPageOfAnotherSiteIsIgnored(String site) {
        assertThat(of("Cookie", "session=" + ada, "Sec-Fetch-Site", site)).isEqualTo("nobody");
        assertThat(of("Authorization", "Bearer " + ada, "Sec-Fetch-Site", site)).isEqualTo("ada");
    }

    @ParameterizedTest
    @ValueSource(strings = {"same-origin", "none"})
    void aCookieSentByAPageOfTheSameSiteCounts(String site) {
        assertThat(of("Cookie", "session=" + ada, "Sec-Fetch-Site", site)).isEqualTo("ada");
    }

    @ParameterizedTest
    @CsvSource({"https://shop.example, shop.example, ada", "https://SHOP.example:443, shop.example, ada",
            "http://shop.example:8080, shop.example:8080, ada", "http://[::1]:8080, [::1]:8080, ada",
            "http://shop.example, shop.example:80, ada", "https://app.example, shop.example, ada",
            "https://app.example:443, shop.example, ada", "http://app.example, shop.example, nobody",
            "https://shop.example:444, shop.example, nobody", "https://shop.example.evil, shop.example, nobody",
            "https://evil, shop.example, nobody", "null, shop.example, nobody", "'', shop.example, nobody",
            "https://shop.example/, shop.example, nobody", "https://a@shop.example, shop.example, nobody"})
    void anOriginMustBeTheRequestedHostOrAListedOrigin(String origin, String host, String user) {
        assertThat(of("Cookie", "session=" + ada, "Origin", origin, "Host", host)).isEqualTo(user);
        assertThat(of("Authorization", "Bearer " + ada, "Origin", origin, "Host", host)).isEqualTo("ada");
    }

    @Test
    void aListedOriginCountsWhateverSecFetchSiteSays() {
        assertThat(
                of("Cookie", "session=" + ada, "Origin", "https://app.example", "Sec-Fetch-Site", "same-site", "Host",
                        "shop.example"))
                .isEqualTo("ada");
        assertThat(of("Cookie", "session=" + ada, "Origin", "https://app.example", "Origin", "https://app.example",
                "Host", "shop.example")).isEqualTo("nobody");
    }

    @Test
    void aShortSecretIsRefusedAndNotRevealed() {
        assertThatThrownBy(() -> new TokenSource.Secret("hush-hush".getBytes(StandardCharsets.US_ASCII)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("9 bytes")
                .hasMessageContaining("32").hasMessageNotContaining("hush");
        assertThat(options.toString()).doesNotContain("0123456789");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://id.example/keys", "ftp://127.0.0.1/keys", "https://a:b@id.example/keys", "/keys",
            "http://127.0.0.1.evil.example/keys", "https:keys"})
    void keysComeOverTlsOrFromThisMachine(String uri) {
        assertThatThrownBy(() -> new TokenSource.KeyUrl(URI.create(uri))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("https").hasMessageNotContaining("a:b");
    }

    @Test
    void keysAreReadFromAFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("keys.json");
        UserOptions byFile = UserOptions.of(new TokenSource.KeyFile(file));
        assertThatThrownBy(() -> JwtAuthenticator.of(byFile, time)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("keys.json");
        Files.writeString(file, "{\"keys\":7}");
        assertThatThrownBy(() -> JwtAuthenticator.of(byFile, time)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no JWK set");
        Files.writeString(file, " ".repeat(KeyReader.SIZE_MAX + 1));
        assertThatThrownBy(() -> JwtAuthenticator.of(byFile, time)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("larger");
        Issuer issuer = Issuer.of("ES256", "k");
        Files.writeString(file, Issuer.set(issuer));
        String token = issuer.token(Tokens.claims("ada", time.now().plusSeconds(60)));
        assertThat(JwtAuthenticator.of(byFile, time).verify(token)).isInstanceOf(Known.class);
    }

    @Test
    void keysAreReadFromAUrlOfBoundedSizeWithoutRedirects() throws IOException {
        Issuer issuer = Issuer.of("EdDSA", "k");
        AtomicReference<String> answer = new AtomicReference<>("x".repeat(KeyReader.SIZE_MAX + 1));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/keys", exchange -> {
            byte[] body = answer.get().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, 0);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.createContext("/moved", exchange -> {
            exchange.getResponseHeaders().add("Location", "/keys");
            exchange.sendResponseHeaders(302, -1);
            exchange.close();
        });
        server.start();
        try {
            URI keys = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys");
            assertThatThrownBy(() -> KeyReader.url(keys)).isInstanceOf(IOException.class);
            answer.set(Issuer.set(issuer));
            assertThatThrownBy(() -> KeyReader.url(keys.resolve("/moved"))).isInstanceOf(IOException.class)
                    .hasMessageContaining("302");
            Authenticator byUrl = JwtAuthenticator.of(UserOptions.of(new TokenSource.KeyUrl(keys)), time);
            String token = issuer.token(Tokens.claims("ada", time.now().plusSeconds(60)));
            assertThat(byUrl.verify(token)).isInstanceOf(Known.class);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void withoutKeysARequestWithATokenIsNeitherAnonymousNorRejected() {
        URI nowhere = URI.create("http://127.0.0.1:1/keys");
        Authenticator byUrl = JwtAuthenticator.of(UserOptions.of(new TokenSource.KeyUrl(nowhere))
                .withCookie("session"), time);
        String token = Issuer.of("EdDSA", "k").token(Tokens.claims("ada", time.now().plusSeconds(60)));

        Authentication bearer = byUrl.verify(token);
        assertThat(bearer).isInstanceOf(Unavailable.class);
        assertThatThrownBy(bearer::known).isInstanceOfSatisfying(ProblemException.class, refusal -> {
            assertThat(refusal.problem().type()).isEqualTo(ProblemType.UNAVAILABLE);
            assertThat(refusal.problem().headers()).containsKey("Retry-After");
        });
        Headers cookie = new HeaderList().add("Cookie", "session=" + token);
        assertThat(byUrl.of(new RequestHead("GET", "/", null, cookie, "127.0.0.1", Map.of()))).isInstanceOf(
                Unavailable.class);
    }

    private String of(String... headers) {
        Headers all = new HeaderList();
        for (int i = 0; i < headers.length; i += 2) {
            all.add(headers[i], headers[i + 1]);
        }
        return switch (users.of(new RequestHead("GET", "/", null, all, "127.0.0.1", Map.of()))) {
            case Known known -> known.user().value();
            case Anonymous _ -> "nobody";
            case Rejected _ -> "rejected";
            case Unavailable _ -> "unavailable";
        };
    }
}
