package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The address of the API, from the first start to the first token. */
class ApiAccessTest {
    @TempDir
    private Path folder = Path.of("");

    private OrderlyServer start(String admin) throws IOException {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { port: 0, host: 127.0.0.1 }
                queues: { emails: {} }
                routes: [ { post: /mail, queue: emails } ]
                admin:\s""" + admin + "\n");
        return ServerInTest.start(file);
    }

    private static HttpResponse<String> send(OrderlyServer server, String path, @Nullable String token,
            @Nullable String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest
                .newBuilder(URI.create("http://127.0.0.1:" + server.adminPort() + path));
        if (token != null) {
            request.header("Authorization", "Bearer " + token);
        } else {
            OwnUser.of(server, request);
        }
        if (body != null) {
            request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        }
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request.build(), BodyHandlers.ofString());
        }
    }

    @Test
    void theApiStaysOnLoopbackUntilThereIsATokenWhichOutlivesARestart() throws Exception {
        String beyond = "{ host: 0.0.0.0, port: 0, trusted-proxies: [192.0.2.1] }";
        String token;
        try (OrderlyServer server = start(beyond)) {
            assertThat(server.adminHost()).isEqualTo("127.0.0.1");
            HttpResponse<String> created = send(server, "/api/v1/tokens", null,
                    "{\"name\":\"ann\",\"role\":\"viewer\"}");
            assertThat(created.statusCode()).isEqualTo(201);
            token = JsonMapper.shared().readTree(created.body()).path("token").asString();
        }
        try (OrderlyServer server = start(beyond)) {
            assertThat(server.adminHost()).isEqualTo("0.0.0.0");
            assertThat(send(server, "/api/v1/identity", token, null).body()).contains("\"ann\"");
        }
        assertThat(Files.readAllBytes(folder.resolve("orderly.db"))).asString().doesNotContain(token);
    }

    @Test
    void theCredentialOfTheOwnUserIsAFileForThatUserWhichTurnsWithTheSecret() throws Exception {
        Path file = folder.resolve("data/local-access");
        try (OrderlyServer server = start("{ port: 0 }")) {
            assertThat(server.localAccess()).isEqualTo(file);
            assertThat(Files.readString(file)).matches("Authorization: Bearer orderly_[0-9A-Za-z]{49}\n");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
            assertThat(send(server, "/api/v1/identity", null, null).body()).contains("\"local\"", "\"admin\"");
        }
        String before = OwnUser.token(file);
        try (OrderlyServer server = start("{ port: 0 }")) {
            assertThat(OwnUser.token(file)).as("nodes that share the secret agree").isEqualTo(before);
            assertThat(send(server, "/api/v1/queues", before, null).statusCode()).isEqualTo(200);
        }
        Files.delete(folder.resolve("data/secret"));
        try (OrderlyServer server = start("{ port: 0 }")) {
            assertThat(send(server, "/api/v1/queues", before, null).statusCode()).isEqualTo(401);
            assertThat(send(server, "/api/v1/queues", null, null).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void withoutLocalAccessThereIsNoFileAndNoCredential() throws Exception {
        String before;
        try (OrderlyServer server = start("{ port: 0 }")) {
            before = OwnUser.token(server.localAccess());
        }
        try (OrderlyServer server = start("{ port: 0, local-access: false }")) {
            assertThat(server.localAccess()).doesNotExist();
            assertThat(send(server, "/api/v1/queues", before, null).statusCode()).isEqualTo(401);
        }
    }

    @Test
    void aServerThatCannotWriteTheCredentialStartsAllTheSame() throws Exception {
        Files.writeString(folder.resolve("data"), "a file where the folder would be");
        try (OrderlyServer server = start("{ port: 0 }")) {
            assertThat(send(server, "/health/live", "", null).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aProxyThatNamesUsersNeedsNoToken() throws Exception {
        Files.writeString(folder.resolve("proxy-secret"), "a secret of 32 characters or more\n");
        try (OrderlyServer server = start(
                "{ host: 0.0.0.0, port: 0, trusted-proxies: [127.0.0.1], proxy-user-header: X-User,"
                        + " proxy-secret-file: proxy-secret }")) {
            assertThat(server.adminHost()).isEqualTo("0.0.0.0");
            assertThat(send(server, "/api/v1/identity", "", null).statusCode()).isEqualTo(401);
        }
    }
}
