package dev.orderly.servlet.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.access.store.AuditEntry;
import dev.orderly.access.store.AuditQuery;
import dev.orderly.servlet.Container;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The dashboard under a path of an application below a context path. */
@ParameterizedClass
@EnumSource(Container.Kind.class)
class DashboardServletTest {
    private static final Pattern TOKEN = Pattern.compile("X-CSRF-Token\\W+([0-9a-f]{64})");
    private static final Pattern LINK = Pattern.compile("(?:href|src|action|hx-post|hx-get|data-live)=\"(/[^\"]*)\"");

    private final Container.Kind kind;
    private final HttpClient client = HttpClient.newHttpClient();
    private DashboardApp app;

    DashboardServletTest(Container.Kind kind) {
        this.kind = kind;
        this.app = new DashboardApp(kind, DashboardApp.byName(), null);
        app.orderly.queue("emails", String.class);
    }

    @AfterEach
    void close() {
        client.shutdownNow();
        app.close();
    }

    private HttpRequest.Builder at(String path, String user) {
        return HttpRequest.newBuilder(URI.create(app.url(path))).header("User", user).header("Accept", "text/html");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    @Test
    void everyLinkOfAPageIsBelowTheMountAndServed() throws Exception {
        HttpResponse<String> page = send(at(DashboardApp.PATH + "/queues", "admin-ann").GET());

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("emails");
        assertThat(page.headers().firstValue("Content-Security-Policy")).isPresent();
        List<String> links = LINK.matcher(page.body()).results().map(found -> found.group(1)).distinct().toList();
        assertThat(links).hasSizeGreaterThan(10).allMatch(link -> link.startsWith(DashboardApp.PATH + "/"));
        for (String link : links.stream().filter(each -> !each.endsWith("/events")).toList()) {
            assertThat(send(at(link.replace("&amp;", "&"), "admin-ann").GET()).statusCode()).as(link)
                    .isIn(200, 405, 404).isNotEqualTo(500);
        }
    }

    @Test
    void theMountWithoutASlashLeadsToTheOverview() throws Exception {
        HttpResponse<String> answer = send(at(DashboardApp.PATH, "viewer-vic").GET());

        assertThat(answer.statusCode()).isEqualTo(308);
        assertThat(answer.headers().firstValue("Location")).hasValue(DashboardApp.PATH + "/");
        assertThat(send(at(DashboardApp.PATH + "/", "viewer-vic").GET()).statusCode()).isEqualTo(200);
    }

    @Test
    void nobodyEntersWithoutAFunctionAndNoUserWithoutARole() throws Exception {
        assertThat(send(at(DashboardApp.PATH + "/", "nobody").GET()).statusCode()).isEqualTo(403);
        assertThat(send(at(DashboardApp.PATH + "/events?page=/", "nobody").GET()).statusCode()).isEqualTo(403);
        app.close();
        app = new DashboardApp(kind, DashboardAccess.CLOSED, null);

        assertThat(send(at(DashboardApp.PATH + "/", "admin-ann").GET()).statusCode()).isEqualTo(403);
    }

    @Test
    void aChangeNeedsTheTokenOfThePageAndNamesThePrincipalInTheAuditLog() throws Exception {
        HttpResponse<String> page = send(at(DashboardApp.PATH + "/queues/emails", "operator-olga").GET());
        Matcher token = TOKEN.matcher(page.body());
        assertThat(token.find()).isTrue();
        String cookie = page.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly", "SameSite=Strict");

        assertThat(pause("operator-olga", cookie, "0".repeat(64)).statusCode()).isEqualTo(403);
        assertThat(pause("operator-olga", null, token.group(1)).statusCode()).isEqualTo(403);
        assertThat(app.isPaused("emails")).isFalse();
        assertThat(pause("viewer-vic", cookie, token.group(1)).statusCode()).isEqualTo(403);
        assertThat(app.isPaused("emails")).isFalse();
        assertThat(pause("operator-olga", cookie, token.group(1)).statusCode()).isEqualTo(200);

        assertThat(app.isPaused("emails")).isTrue();
        List<AuditEntry> entries = app.control.audit().list(new AuditQuery(null, null, null, null, null, null, 10));
        assertThat(entries).extracting(entry -> entry.act().name() + " " + entry.outcome())
                .containsExactly("operator-olga DONE", "viewer-vic REFUSED");
        assertThat(entries.getFirst().act().kind().text()).isEqualTo("application");
    }

    private HttpResponse<String> pause(String user, @Nullable String cookie, String token)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = at(DashboardApp.PATH + "/queues/emails/pause", user).header("X-CSRF-Token", token)
                .header("HX-Request", "true").header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.noBody());
        return send(cookie == null ? request : request.header("Cookie", cookie.split(";", 2)[0]));
    }

    @Test
    void aPageOfAnotherSiteChangesNothing() throws Exception {
        HttpResponse<String> page = send(at(DashboardApp.PATH + "/queues/emails", "operator-olga").GET());
        Matcher token = TOKEN.matcher(page.body());
        assertThat(token.find()).isTrue();
        HttpRequest.Builder foreign = at(DashboardApp.PATH + "/queues/emails/pause", "operator-olga")
                .header("X-CSRF-Token", token.group(1)).header("Origin", "https://elsewhere.example")
                .header("Cookie", page.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0])
                .POST(BodyPublishers.noBody());

        assertThat(send(foreign).statusCode()).isEqualTo(403);
        assertThat(app.isPaused("emails")).isFalse();
    }

    @Test
    void openPagesGetUpdates() throws Exception {
        try (var lines = client.send(at(DashboardApp.PATH + "/events?page=/queues", "viewer-vic").GET().build(),
                BodyHandlers.ofLines()).body()) {
            assertThat(lines.filter(line -> line.startsWith("data:") && line.contains("emails")).findFirst())
                    .isPresent();
        }
    }
}
