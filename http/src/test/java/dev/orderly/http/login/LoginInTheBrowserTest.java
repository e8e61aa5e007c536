package dev.orderly.http.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.access.AccessToken;
import dev.orderly.access.Role;
import dev.orderly.access.TokenName;
import dev.orderly.access.TokenSecret;
import dev.orderly.http.Node;
import dev.orderly.http.access.AccessPolicy;
import dev.orderly.http.listener.BindAddress;
import dev.orderly.time.Time;
import dev.orderly.web.browser.Chromium;
import dev.orderly.web.browser.InChromium;
import java.security.SecureRandom;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The login page in a real browser, under its content security policy. */
class LoginInTheBrowserTest extends InChromium {
    @Test
    void aPersonSignsInAndOutAndAWrongTokenIsExplained() {
        Chromium browser = browser();
        try (Node node = new Node(AccessPolicy.loopback(BindAddress.loopback(0)))) {
            TokenSecret secret = TokenSecret.random(new SecureRandom());
            node.access.create(
                    new AccessToken(new TokenName("ann"), Role.OPERATOR, Set.of(), Time.system().now(), null),
                    secret);
            browser.open("http://localhost:" + node.api.port() + "/login");
            signIn(browser, "orderly_wrong");
            soon(() -> assertThat(browser.text(".bad")).contains("does not count"));
            signIn(browser, secret.text());
            soon(() -> assertThat(browser.text("main")).contains("You are signed in", "ann", "operator"));
            browser.find("button").click();
            soon(() -> assertThat(browser.text("h1")).isEqualTo("Sign in"));
            assertThat(browser.console()).noneMatch(line -> line.contains("Content Security Policy"));
            browser.open("about:blank");
        }
    }

    @Test
    void aPersonFollowsALinkAndConfirmsIt() {
        Chromium browser = browser();
        try (Node node = new Node(AccessPolicy.loopback(BindAddress.loopback(0)))) {
            String path = node.post(Node.asLocal(Node.at(node.api.port(), "/api/v1/login-links")), null, "").json()
                    .path("path").asString();
            browser.open("http://localhost:" + node.api.port() + path);
            soon(() -> assertThat(browser.text("main")).contains("admin"));
            browser.find("button").click();
            soon(() -> assertThat(browser.eval("location.pathname")).isEqualTo("/")); // a page left early sends nothing
            browser.open("http://localhost:" + node.api.port() + "/login");
            soon(() -> assertThat(browser.text("main")).contains("You are signed in", "admin"));
            assertThat(browser.console()).noneMatch(line -> line.contains("Content Security Policy"));
            browser.open("about:blank");
        }
    }

    private static void signIn(Chromium browser, String token) {
        browser.find("#token").sendKeys(token);
        browser.find("button").click();
    }
}
