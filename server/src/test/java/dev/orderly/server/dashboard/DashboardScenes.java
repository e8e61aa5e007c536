package dev.orderly.server.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.server.OrderlyServer;
import dev.orderly.server.OwnUser;
import dev.orderly.server.ServerInTest;
import dev.orderly.web.browser.InChromium;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Cookie;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests of pages in a browser, beside a whole server that all tests of a class share. */
abstract class DashboardScenes extends InChromium {
    private static final List<Integer> WIDTHS = List.of(360, 1280, 2560);
    private static final int HEIGHT = 900;

    private final HttpClient client = HttpClient.newHttpClient();
    private OrderlyServer server;
    private String axe = "";

    @BeforeAll
    final void startServer(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                edge: { port: 0, host: 127.0.0.1, warm-up: 0s, origin: "http://127.0.0.1:9" }
                admin: { port: 0 }
                store: %s
                """.formatted(store()) + config());
        seed(folder.resolve("orderly.db"));
        server = ServerInTest.start(file);
        try (InputStream script = DashboardScenes.class.getResourceAsStream("/axe.min.js")) {
            axe = new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @AfterAll
    final void stopServer() {
        leavePage();
        client.close();
        server.close();
    }

    /** Writes into the store before the server opens it. */
    void seed(Path database) {}

    /** The value of the key {@code store}. */
    String store() {
        return "sqlite:orderly.db";
    }

    /** Queues, rooms and the rest of the configuration. */
    abstract String config();

    final String address(String path) {
        return "http://localhost:" + server.adminPort() + path;
    }

    /** Ends the session of the test before, and signs the server's own user in, in a window of a desktop. */
    @BeforeEach
    final void beginAsOwnUser() throws Exception {
        browser().device(WIDTHS.get(1), HEIGHT, 1, false);
        open("/login");
        browser().cookies().forEach(cookie -> browser().removeCookie(cookie.getName()));
        String link = api("POST", "/login-links", "").path("path").asString("");
        takeSession(HttpRequest.newBuilder(URI.create(address(link))).POST(BodyPublishers.noBody()));
    }

    final void open(String path) {
        browser().open(address(path));
    }

    /** A call of the API by the server's own user; fails unless the answer has a status of success. */
    final JsonNode api(String method, String path, String body) throws Exception {
        HttpRequest request = OwnUser.of(server, HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                + server.adminPort() + "/api/v1" + path)))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Content-Type", "application/json").build();
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return answer.body().isEmpty()
                ? JsonMapper.shared().createObjectNode()
                : JsonMapper.shared().readTree(answer.body());
    }

    /** A request as a page's script sends it, with the session of a token. */
    final HttpResponse<String> post(String path, String form, Cookie session, String csrf) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(address(path)))
                .header("Content-Type", "application/x-www-form-urlencoded").header("HX-Request", "true")
                .header("Cookie", session.getName() + "=" + session.getValue()).header("X-CSRF-Token", csrf)
                .POST(BodyPublishers.ofString(form)).build(), BodyHandlers.ofString());
    }

    /** A page or a file, with the session of a token. */
    final HttpResponse<String> get(String path, Cookie session) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(address(path)))
                .header("Cookie", session.getName() + "=" + session.getValue()).build(), BodyHandlers.ofString());
    }

    /** Signs in with a new token of a role, and ends on a page. */
    final void signIn(String role, String path) throws Exception {
        String name = role + Long.toString(System.identityHashCode(new Object()), 36);
        String token = api("POST", "/tokens", "{\"name\":\"" + name + "\",\"role\":\"" + role + "\"}")
                .path("token").asString("");
        takeSession(HttpRequest.newBuilder(URI.create(address("/login")))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString("token=" + token)));
        open(path);
    }

    private void takeSession(HttpRequest.Builder login) throws Exception {
        HttpResponse<String> answer = client.send(login.build(), BodyHandlers.ofString());
        String[] cookie = answer.headers().firstValue("Set-Cookie").orElseThrow().split("[=;]", 3);
        browser().addCookie(cookie[0], cookie[1]);
    }

    /** Opens the form of a control on a page that is live. */
    final void press(String control) {
        soon(() -> assertThat(browser().eval("document.getElementById('pulse').dataset.state")).isEqualTo("live"));
        browser().find("[popovertarget=" + control + "]").click();
        soon(() -> assertThat(browser().eval("document.getElementById('" + control + "').matches(':popover-open')"))
                .isEqualTo(true));
    }

    /**
     * Looks at a page in both themes and three widths: nothing makes it scroll sideways, no rule of accessibility is
     * broken, and the content security policy refuses nothing.
     */
    final void inspect(String path) {
        open(path);
        soon(() -> assertThat(browser().text("h1")).as("heading of " + path).isNotEmpty());
        browser().evalLater(axe + "; arguments[arguments.length - 1]();");
        for (boolean dark : List.of(false, true)) {
            for (int width : WIDTHS) {
                browser().device(width, HEIGHT, 1, dark);
                assertThat(browser().eval("document.documentElement.scrollWidth"
                        + " - document.documentElement.clientWidth"))
                        .as(path + " at " + width + " px scrolls sideways by").isEqualTo(0L);
            }
            assertThat(violations()).as(path + (dark ? " dark" : " light")).isEmpty();
        }
        assertThat(browser().console()).as("console of " + path)
                .noneMatch(line -> line.contains("Content Security Policy") || line.contains("Uncaught"));
    }

    private List<?> violations() {
        Object found = browser().evalLater("""
                const done = arguments[arguments.length - 1];
                axe.run(document, {resultTypes: ['violations']}).then(
                  result => done(result.violations.map(rule => rule.id + ': '
                    + rule.nodes.map(node => node.html + ' ' + node.failureSummary).join(' | '))),
                  error => done([String(error)]));
                """);
        return found instanceof List<?> list ? list : List.of(String.valueOf(found));
    }
}
