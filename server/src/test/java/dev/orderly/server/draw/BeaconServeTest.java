package dev.orderly.server.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.room.Opening;
import dev.orderly.server.OrderlyServer;
import dev.orderly.server.OwnUser;
import dev.orderly.server.ServerInTest;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server whose draw waits for a round of drand. */
class BeaconServeTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path folder = Path.of("");

    private static JsonNode get(OrderlyServer server, int port, String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (port == server.adminPort()) {
            OwnUser.of(server, request);
        }
        try (HttpClient http = HttpClient.newHttpClient()) {
            return JsonMapper.shared().readTree(http.send(request.build(), BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static JsonNode draw(OrderlyServer server) {
        return get(server, server.edgePort(), "/.orderly/rooms/sale/draw");
    }

    @Test
    void aBeaconWithoutAnswerIsSaidAndItsValueIsFetchedAfterARestartWithAnEntryInTheAuditLog() throws Exception {
        try (DrandStub drand = new DrandStub()) {
            drand.answers(425, "");
            String opens = Opening.text(Time.system().now().plusSeconds(4).truncatedTo(ChronoUnit.SECONDS)
                    .atZone(ZoneOffset.UTC));
            Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                    store: sqlite:orderly.db
                    edge: { port: 0, host: 127.0.0.1, origin: "http://127.0.0.1:9" }
                    admin: { port: 0 }
                    rooms:
                      sale:
                        match: ["/**"]
                        capacity: 1
                        openings:
                          - { opens: "%s", lobby: 1h, draw: true, beacon: "%s", beacon-at: "%s" }
                    """.formatted(opens, drand.address(), opens));
            try (OrderlyServer server = ServerInTest.start(file)) {
                await().atMost(PATIENCE).untilAsserted(() -> assertThat(get(server, server.adminPort(),
                        "/api/v1/rooms/sale").path("openings").path("awaits").path("failure").asString(""))
                        .contains("answered 425"));
                assertThat(draw(server).has("beacon")).isFalse();
            }
            drand.knowsTheRound();
            try (OrderlyServer server = ServerInTest.start(file)) {
                await().atMost(PATIENCE).until(() -> draw(server).has("seed"));
                assertThat(draw(server).path("beacon").asString()).isEqualTo(DrandStub.VALUE);
                assertThat(draw(server).path("beaconSource").asString()).isEqualTo(drand.address());
                assertThat(get(server, server.adminPort(), "/api/v1/audit?operation=drawValue").path("entries"))
                        .singleElement().satisfies(entry -> {
                            assertThat(entry.path("address").asString()).isEqualTo("beacon");
                            assertThat(entry.path("after").asString()).contains(DrandStub.VALUE);
                        });
            }
        }
    }
}
