package dev.orderly.http.room;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.time.Time;
import dev.orderly.web.browser.Guest;
import dev.orderly.web.room.log.LineSink;
import dev.orderly.web.room.log.LoggedAddress;
import dev.orderly.web.room.log.QueuedVisitorLog;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The visitor log of an edge: a line for each request that meets a room, and no secret in it. */
class VisitorLogTest {
    private static final String SECRET = "correct-horse";
    private static final String JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJlLW9mLWEtdXNlcg";

    private final Lines lines = new Lines();
    private final QueuedVisitorLog log = new QueuedVisitorLog(lines, new LoggedAddress.Shortened(), Time.system(), 1,
            () -> 0);
    private final RoomNode node = new RoomNode(RoomNode.ONE_INSIDE, log);

    private static final class Lines implements LineSink {
        private final Queue<String> written = new ConcurrentLinkedQueue<>();

        @Override
        public void write(byte[] more) {
            written.add(new String(more, StandardCharsets.UTF_8));
        }

        String text() {
            return String.join("", written);
        }

        @Override
        public void reopen() {}

        @Override
        public void close() {}
    }

    @AfterEach
    void close() {
        node.close();
        log.close();
    }

    @Test
    void everyRequestThatMeetsARoomIsALineAndOthersAreNot() {
        log.start();
        Guest first = Guest.inside(node);
        Guest second = new Guest(node);
        second.get("/tickets/c?seat=12");
        first.get("/free");
        first.get("/tickets/robots.txt");

        List<JsonNode> all = awaitLines(4);

        JsonNode admitted = all.get(1);
        assertThat(admitted.path("room").asString()).isEqualTo("sale");
        assertThat(admitted.path("url").asString()).isEqualTo("127.0.0.1/tickets/b");
        assertThat(admitted.path("method").asString()).isEqualTo("GET");
        assertThat(admitted.path("address").asString()).isEqualTo("127.0.0.0");
        assertThat(admitted.path("agent").asString()).startsWith("Java-http-client");
        assertThat(admitted.path("permitted").asBoolean()).isTrue();
        assertThat(admitted.path("status").asInt()).isEqualTo(200);
        assertThat(admitted.path("place").asLong()).isEqualTo(1);
        JsonNode waiting = all.get(2);
        assertThat(waiting.path("url").asString()).isEqualTo("127.0.0.1/tickets/c?seat=12");
        assertThat(waiting.path("permitted").asBoolean()).isFalse();
        assertThat(waiting.path("status").asInt()).isEqualTo(503);
        assertThat(waiting.path("place").asLong()).isEqualTo(2);
        assertThat(waiting.path("cursor").asLong(-1)).isBetween(0L, 1L);
    }

    @Test
    void aRefusalBehindARoomIsALineAndStaysAPageForABrowser() {
        log.start();
        HttpResponse<String> refused = Guest.inside(node).send(node.at("/tickets/d").header("Accept", "text/html")
                .method("TRACE", BodyPublishers.noBody()));

        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.body()).contains("<html", "This request cannot be answered");
        assertThat(awaitLines(3).getLast().path("status").asInt()).isEqualTo(405);
    }

    @Test
    void noTokenCookieOrSecretIsWritten() {
        log.start();
        Guest first = Guest.inside(node);
        Guest second = new Guest(node);
        second.get("/tickets/c");
        for (Guest guest : List.of(first, second)) {
            String token = guest.cookies.values().iterator().next();
            guest.send(node.at("/tickets/d;jsessionid=" + SECRET + "/" + JWT + "?access_token=" + SECRET + "&a=" + JWT
                    + "&apiKey=" + SECRET + "&%70assword=" + SECRET + "&t=" + token)
                    .header("Authorization", "Bearer " + SECRET).header("Referer", "http://x/?token=" + SECRET)
                    .header("Cookie", "own=" + SECRET).header("User-Agent", "app/1 " + token + " " + JWT).GET());
        }

        awaitLines(5);

        String text = lines.text();
        assertThat(text).contains("access_token=[redacted]").doesNotContain(SECRET, JWT, "eyJ");
        for (Guest guest : List.of(first, second)) {
            guest.cookies.values().forEach(token -> assertThat(text).doesNotContain(token,
                    token.substring(token.lastIndexOf('.') + 1),
                    token.substring(token.indexOf('.') + 1, token.lastIndexOf('.'))));
        }
    }

    private List<JsonNode> awaitLines(int count) {
        await().until(() -> lines.text().lines().count() >= count);
        return lines.text().lines().map(JsonMapper.shared()::readTree).toList();
    }
}
