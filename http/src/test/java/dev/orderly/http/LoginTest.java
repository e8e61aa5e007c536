package dev.orderly.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.access.AccessToken;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.TokenSecret;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.http.Node.Reply;
import dev.orderly.http.access.AccessPolicy;
import dev.orderly.http.access.ProxyAccess;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.job.QueueName;
import dev.orderly.time.Time;
import dev.orderly.web.edge.TrustedProxies;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.SecureRandom;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sessions of browsers at the API. */
class LoginTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final Node node = new Node(AccessPolicy.loopback(BindAddress.loopback(0)));
    private final String token = token("ann", Role.OPERATOR);

    @AfterEach
    void close() {
        node.close();
    }

    private String token(String name, Role role, String... queues) {
        TokenSecret secret = TokenSecret.random(new SecureRandom());
        Set<QueueName> named = Set.copyOf(List.of(queues).stream().map(QueueName::new).toList());
        node.access.create(new AccessToken(new TokenName(name), role, named, Time.system().now(), null), secret);
        return secret.text();
    }

    private HttpRequest.Builder at(String path) {
        return Node.at(node.api.port(), path);
    }

    private Reply login(String secret) {
        return node.post(at("/login"), FORM, "token=" + secret);
    }

    private String cookie() {
        return cookie(login(token));
    }

    private static String cookie(Reply reply) {
        return Objects.requireNonNull(reply.header("Set-Cookie"), reply::toString).split(";", 2)[0];
    }

    private String csrf(String cookie) {
        return node.send(at("/api/v1/identity").header("Cookie", cookie).GET()).json().path("csrf").asString();
    }

    @Test
    void aTokenOpensASessionWithItsRole() {
        Reply reply = login(token);
        assertThat(reply.status()).isEqualTo(303);
        assertThat(reply.header("Location")).isEqualTo("/login");
        assertThat(reply.header("Set-Cookie")).matches(
                "orderly_session=[0-9a-f]{64}; Path=/; HttpOnly; SameSite=Strict");
        Reply identity = node.send(at("/api/v1/identity").header("Cookie", "a=b; " + cookie(reply)).GET());
        assertThat(identity.json().path("name").asString()).isEqualTo("ann");
        assertThat(identity.json().path("role").asString()).isEqualTo("operator");
        assertThat(node.access.audit().list(AuditQuery.newest(1)).getFirst().act().operation()).isEqualTo("login");
    }

    @Test
    void overTlsTheCookieIsForExactlyThisHostAndForTlsOnly() {
        try (Node behind = new Node(new AccessPolicy(BindAddress.loopback(0), false, List.of(),
                new ProxyAccess(TrustedProxies.of("127.0.0.1"), null, null, null, null)))) {
            TokenSecret secret = TokenSecret.random(new SecureRandom());
            behind.access.create(new AccessToken(new TokenName("ci"), Role.VIEWER, Set.of(), Time.system().now(), null),
                    secret);
            Reply reply = behind.post(Node.at(behind.api.port(), "/login").header("X-Forwarded-Proto", "https"), FORM,
                    "token=" + secret.text());
            assertThat(reply.header("Set-Cookie")).startsWith("__Host-orderly_session=").endsWith("; Secure");
        }
    }

    @Test
    void aChangeInASessionNeedsItsCsrfToken() {
        String cookie = cookie();
        HttpRequest.Builder pause = at("/api/v1/queues/emails/pause").header("Cookie", cookie);
        assertThat(node.send(pause.POST(BodyPublishers.noBody())).problem()).isEqualTo("csrf");
        assertThat(node.send(pause.copy().header("X-CSRF-Token", csrf(cookie()))).problem())
                .as("the token of another session").isEqualTo("csrf");
        assertThat(node.send(pause.copy().header("X-CSRF-Token", csrf(cookie))).status()).isEqualTo(200);
        assertThat(node.send(pause.copy().header("X-CSRF-Token", csrf(cookie)).header("Origin", "https://evil.example"))
                .status()).isEqualTo(403);
        assertThat(node.send(at("/api/v1/queues").header("Cookie", cookie).GET()).status()).isEqualTo(200);
    }

    @Test
    void aLogoutEndsTheSessionAtOnce() {
        String cookie = cookie();
        assertThat(node.post(at("/logout").header("Cookie", cookie), FORM, "csrf=wrong").problem()).isEqualTo("csrf");
        Reply out = node.post(at("/logout").header("Cookie", cookie), FORM, "csrf=" + csrf(cookie));
        assertThat(out.status()).isEqualTo(303);
        assertThat(out.header("Set-Cookie")).startsWith("orderly_session=; Max-Age=0");
        Reply after = node.send(at("/api/v1/identity").header("Cookie", cookie).GET());
        assertThat(after.status()).isEqualTo(401);
        assertThat(after.header("Set-Cookie")).as("the browser drops it").startsWith("orderly_session=; Max-Age=0");
    }

    @Test
    void aSessionDiesWithItsToken() {
        String cookie = cookie();
        assertThat(node.send(at("/api/v1/identity").header("Cookie", cookie).GET()).status()).isEqualTo(200);
        node.access.revoke(new TokenName("ann"));
        assertThat(node.send(at("/api/v1/identity").header("Cookie", cookie).GET()).status()).isEqualTo(401);
    }

    @Test
    void aLinkSignsOneBrowserInOnceAsItsAuthor() {
        Reply made = node.post(at("/api/v1/login-links").header("Authorization", "Bearer " + token), null, "");
        String link = made.json().path("path").asString();
        assertThat(made.status()).isEqualTo(201);
        Reply asked = node.send(at(link).GET());
        assertThat(asked.text()).contains("ann", "operator", "action=\"" + link + "\"").doesNotContain("{{");
        assertThat(asked.header("Set-Cookie")).as("a preview signs nobody in").isNull();
        assertThat(node.send(at(link).header("Origin", "https://evil.example").POST(BodyPublishers.noBody()))
                .status()).isEqualTo(403);
        Reply signedIn = node.send(at(link).POST(BodyPublishers.noBody()));
        assertThat(signedIn.status()).isEqualTo(303);
        assertThat(signedIn.header("Location")).isEqualTo("/");
        assertThat(node.send(at("/api/v1/identity").header("Cookie", cookie(signedIn)).GET()).json().path("name")
                .asString()).isEqualTo("ann");
        assertThat(node.send(at(link).POST(BodyPublishers.noBody())).status()).as("used").isEqualTo(401);
        assertThat(node.send(at(link).GET()).status()).as("used").isEqualTo(401);
        assertThat(node.send(at("/login/" + "0".repeat(64)).POST(BodyPublishers.noBody())).status()).isEqualTo(401);
    }

    @Test
    void aLinkDiesWithTheTokenOfItsAuthor() {
        String link = node.post(at("/api/v1/login-links").header("Authorization", "Bearer " + token), null, "")
                .json().path("path").asString();
        node.access.revoke(new TokenName("ann"));
        Reply refused = node.send(at(link).POST(BodyPublishers.noBody()));
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.header("Set-Cookie")).isNull();
    }

    @Test
    void theLocalCredentialOpensASessionThatALogoutEnds() {
        String link = node.post(Node.asLocal(at("/api/v1/login-links")), null, "").json().path("path").asString();
        String cookie = cookie(node.send(at(link).POST(BodyPublishers.noBody())));
        Reply identity = node.send(at("/api/v1/identity").header("Cookie", cookie).GET());
        assertThat(identity.json().path("kind").asString()).isEqualTo("local");
        assertThat(identity.json().path("role").asString()).isEqualTo("admin");
        assertThat(node.post(at("/logout").header("Cookie", cookie), FORM, "csrf=" + csrf(cookie)).status())
                .isEqualTo(303);
        assertThat(node.send(at("/api/v1/identity").header("Cookie", cookie).GET()).status()).isEqualTo(401);
    }

    @Test
    void aWrongTokenGetsThePageAgainWithoutASession() {
        Reply wrong = login("orderly_%3Cscript%3E");
        assertThat(wrong.status()).isEqualTo(401);
        assertThat(wrong.header("Set-Cookie")).isNull();
        assertThat(wrong.text()).contains("This token does not count").doesNotContain("<script");
        assertThat(login(token("mailer", Role.WORKER, "emails")).status()).isEqualTo(403);
    }

    @Test
    void aLoginFromAPageOfAnotherSiteIsRefused() {
        assertThat(node.post(at("/login").header("Origin", "https://evil.example"), FORM, "token=" + token).status())
                .isEqualTo(403);
        assertThat(node.post(at("/login").header("Sec-Fetch-Site", "cross-site"), FORM, "token=" + token).status())
                .isEqualTo(403);
    }

    @Test
    void thePageShowsTheFormOrTheIdentityUnderAStrictPolicy() {
        Reply form = node.send(at("/login").GET());
        assertThat(form.header("Content-Security-Policy")).startsWith("default-src 'none'; style-src 'sha256-")
                .contains("frame-ancestors 'none'", "form-action 'self'");
        assertThat(form.text()).contains("name=\"token\"").doesNotContain("{{");
        Reply known = node.send(at("/login").header("Cookie", cookie()).GET());
        assertThat(known.text()).contains("You are signed in", "ann", "operator", "Sign out").doesNotContain("{{");
    }
}
