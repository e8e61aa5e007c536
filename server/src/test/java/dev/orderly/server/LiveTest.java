package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.time.Time;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.spec.SecretKeySpec;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Live connections of a configured server. */
class LiveTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String SECRET = "a secret of the site, 32 or more";

    @TempDir
    private Path folder = Path.of("");
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> received = new CopyOnWriteArrayList<>();

    @Test
    void everyMessageOfAUserIsAJobOfTheUsersGroupEvenIfItRepeatsAnother() throws Exception {
        try (OrderlyServer server = start("live: { queue: moves.fifo, group: user }")) {
            WebSocket ann = connect(server);
            ann.sendText("{\"x\":1}", true).join();
            ann.sendText("{\"x\":1}", true).join();
            ann.sendText("left", true).join();

            await().atMost(SOON).until(() -> jobs(server).size() == 3);
            JsonNode jobs = jobs(server);
            for (JsonNode job : jobs) {
                JsonNode whole = get(server, "/jobs/" + job.path("id").asString());
                assertThat(whole.path("user").asString()).isEqualTo("ann");
                assertThat(whole.path("group").asString()).isEqualTo("ann");
                assertThat(whole.path("params").path("connection").asString("")).isNotEmpty();
            }
            assertThat(received).containsExactly("{\"orderly\":\"ready\"}");
        }
    }

    @Test
    void withoutAQueueSendersGetAnErrorAndTheApiStillReachesThem() throws Exception {
        try (OrderlyServer server = start("")) {
            connect(server).sendText("hello?", true).join();
            await().atMost(SOON).until(() -> received.contains("{\"error\":\"This server handles no messages\"}"));

            var sent = client.send(OwnUser.of(server, HttpRequest.newBuilder(api(server, "/users/ann/messages")))
                    .POST(BodyPublishers.ofString("{\"from\":\"api\"}")).build(), BodyHandlers.ofString());

            assertThat(sent.body()).isEqualTo("{\"online\":true}");
            await().atMost(SOON).until(() -> received.contains("{\"from\":\"api\"}"));
        }
    }

    private OrderlyServer start(String live) throws Exception {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { port: 0, host: 127.0.0.1 }
                admin: { port: 0 }
                queues: { moves.fifo: {} }
                users: { jwt: { secret-env: JWT } }
                """ + live);
        return ServerInTest.start(file, Map.of("JWT", SECRET));
    }

    private WebSocket connect(OrderlyServer server) throws JoseException {
        return client.newWebSocketBuilder().header("Authorization", "Bearer " + token())
                .buildAsync(URI.create("ws://127.0.0.1:" + server.edgePort() + "/.orderly/live"),
                        new WebSocket.Listener() {
                            @Override
                            public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data,
                                    boolean last) {
                                received.add(data.toString());
                                from.request(1);
                                return null;
                            }
                        })
                .join();
    }

    private JsonNode jobs(OrderlyServer server) throws Exception {
        return get(server, "/queues/moves.fifo/jobs").path("jobs");
    }

    private JsonNode get(OrderlyServer server, String path) throws Exception {
        return JsonMapper.shared()
                .readTree(client.send(OwnUser.of(server, HttpRequest.newBuilder(api(server, path))).build(),
                        BodyHandlers.ofString(StandardCharsets.UTF_8)).body());
    }

    private static URI api(OrderlyServer server, String path) {
        return URI.create("http://127.0.0.1:" + server.adminPort() + "/api/v1" + path);
    }

    private static String token() throws JoseException {
        JsonWebSignature token = new JsonWebSignature();
        token.setAlgorithmHeaderValue(AlgorithmIdentifiers.HMAC_SHA256);
        token.setKey(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        token.setPayload("{\"sub\":\"ann\",\"exp\":" + Time.system().now().plusSeconds(600).getEpochSecond() + "}");
        return token.getCompactSerialization();
    }
}
