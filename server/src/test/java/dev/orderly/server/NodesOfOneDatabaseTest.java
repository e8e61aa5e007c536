package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.testkit.server.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator changes at one of two nodes takes effect at the other. */
@Timeout(120)
class NodesOfOneDatabaseTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    private final HttpClient http = HttpClient.newHttpClient();
    @TempDir
    private Path folder;

    @Test
    void settingsDrainAndPauseReachTheOtherNode() throws Exception {
        try (PostgresServer postgres = PostgresServer.startIn(folder.resolve("postgres"), "fsync=off");
                OrderlyServer one = start(postgres);
                OrderlyServer other = start(postgres)) {
            send(one, "PATCH", "/queues/mail", "{\"concurrency\": 3}");
            awaitValue(other, "/queues/mail", "/override/concurrency", "3");

            send(one, "POST", "/queues/mail/pause", "");
            awaitValue(other, "/queues/mail", "/paused", "true");

            await().atMost(SOON).until(() -> get(one, "/nodes").path("nodes").size() == 2);
            JsonNode drained = get(one, "/nodes").path("nodes").valueStream()
                    .filter(node -> !node.path("self").asBoolean()).findFirst().orElseThrow();
            send(one, "POST", "/nodes/" + drained.path("node").asString() + "/drain", "");
            await().atMost(SOON).until(() -> get(other, "/nodes").path("nodes").valueStream()
                    .anyMatch(node -> node.path("self").asBoolean() && node.path("draining").asBoolean()));
            send(one, "POST", "/nodes/" + drained.path("node").asString() + "/resume", "");
            await().atMost(SOON).until(() -> get(other, "/nodes").path("nodes").valueStream()
                    .noneMatch(node -> node.path("draining").asBoolean()));
        }
    }

    @Test
    void anyGateTellsWhoWaitsAtTheOther() throws Exception {
        try (PostgresServer postgres = PostgresServer.startIn(folder.resolve("postgres"), "fsync=off");
                OrderlyServer one = start(postgres);
                OrderlyServer other = start(postgres)) {
            await().atMost(SOON).until(() -> get(one, "/nodes").path("nodes").size() == 2);
            assertThat(visit(other).statusCode()).isEqualTo(502); // inside, at a site that is not there
            HttpResponse<String> waits = visit(other);
            assertThat(waits.statusCode()).isEqualTo(503);
            await().atMost(SOON).untilAsserted(() -> {
                JsonNode front = get(one, "/rooms/sale/front");
                assertThat(front.path("visitors").findValuesAsString("place")).containsExactly("2");
                assertThat(front.path("visitors").get(0).path("gate").isString()).as(front.toString()).isTrue();
                assertThat(front.path("unreachable").size()).isZero();
            });
            JsonNode why = send(one, "POST", "/rooms/sale/why", "{\"place\": 2}");
            assertThat(why.path("gate").isString()).as(why.toString()).isTrue();
            JsonNode inside = send(one, "POST", "/rooms/sale/why", "{\"place\": 1}");
            assertThat(inside.path("cause").asString()).as(inside.toString()).isEqualTo("inside");
            assertThat(inside.at("/history/visitor").isString()).isTrue();
        }
    }

    private HttpResponse<String> visit(OrderlyServer gate) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gate.edgePort() + "/sale/a")).build(),
                BodyHandlers.ofString());
    }

    private OrderlyServer start(PostgresServer postgres) throws Exception {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: "%s"
                edge: { port: 0, host: 127.0.0.1, origin: "http://127.0.0.1:1", warm-up: 0s }
                admin: { port: 0 }
                rooms: { sale: { match: [/sale/**], capacity: 1 } }
                queues: { mail: { handler: "http://127.0.0.1:1/", concurrency: 8 } }
                """.formatted(postgres.address()));
        return ServerInTest.start(file);
    }

    private void awaitValue(OrderlyServer node, String path, String pointer, String value) {
        await().atMost(SOON).until(() -> get(node, path).at(pointer).asString("").equals(value));
    }

    private JsonNode get(OrderlyServer node, String path) throws Exception {
        return send(node, "GET", path, "");
    }

    private JsonNode send(OrderlyServer node, String method, String path, String body) throws Exception {
        HttpResponse<String> answer = http.send(OwnUser.of(node, HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                + node.adminPort() + "/api/v1" + path))).header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)).build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return answer.body().isEmpty()
                ? JsonMapper.shared().createObjectNode()
                : JsonMapper.shared().readTree(answer.body());
    }
}
