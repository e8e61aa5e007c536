package dev.orderly.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.server.OwnUser;
import dev.orderly.server.ServerProcess;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.testkit.server.RedisNode;
import dev.orderly.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.crypto.spec.SecretKeySpec;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.json.JsonMapper;

/** Two whole servers on one store: a request to one takes effect at the other. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class LiveClusterTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    /** Generous, because the machine may be slow. Tests with a manual clock check the exact time. */
    private static final Duration DEATH = Duration.ofSeconds(35);
    private static final String SECRET = "a secret of the site, 32 or more";

    @TempDir
    private Path folder = Path.of("");
    private final Time time = Time.system();
    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final PostgresServer postgres = PostgresServer.start("fsync=off");
    private final List<ServerProcess> servers = new ArrayList<>();
    private final ConcurrentLinkedQueue<String> worked = new ConcurrentLinkedQueue<>();
    private @Nullable HttpServer worker;

    @BeforeEach
    void start() throws Exception {
        worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        worker.createContext("/", exchange -> {
            try (exchange) {
                worked.add(exchange.getRequestHeaders().getFirst("webhook-id"));
                exchange.sendResponseHeaders(200, -1);
            }
        });
        worker.start();
    }

    @AfterEach
    void end() {
        servers.forEach(ServerProcess::close);
        if (worker != null) {
            worker.stop(0);
        }
        client.close();
        postgres.close();
    }

    @Test
    void serversOnPostgresShareUsersAndJobs() throws Exception {
        shareUsersAndJobs('"' + postgres.address() + '"');
    }

    @Test
    void serversOnPostgresAndRedisShareUsersAndJobs() throws Exception {
        try (RedisNode redis = RedisNode.start()) {
            shareUsersAndJobs("{ jobs: \"" + postgres.address() + "\", rooms: \"" + redis.url() + "\" }");
        }
    }

    private void shareUsersAndJobs(String store) throws Exception {
        ServerProcess a = serve("a", store, "{}");
        ServerProcess b = serve("b", store, "{ handler: \"http://127.0.0.1:" + port() + "/work\" }");

        List<String> bob = connect(b, "bob");
        assertThat(client.send(OwnUser.of(a.localAccess(), request(a.api().resolve("/api/v1/users/bob/messages"),
                "{\"from\":\"a\"}")).build(), BodyHandlers.ofString()).body())
                .isEqualTo("{\"online\":true}");
        await().atMost(SOON).until(() -> bob.contains("{\"from\":\"a\"}"));

        HttpResponse<String> pushed = post(a.edge().resolve("/push"), "1");
        assertThat(pushed.statusCode()).isEqualTo(202);
        String job = pushed.headers().firstValue("X-Job-Id").orElseThrow();
        await().atMost(SOON).until(() -> worked.contains(job));

        connect(a, "ann");
        await().atMost(SOON).until(() -> isOnline(b, "ann"));
        a.kill();
        await().atMost(DEATH.plus(SOON)).pollInterval(Duration.ofMillis(200)).until(() -> !isOnline(b, "ann"));
        assertThat(isOnline(b, "bob")).isTrue();
    }

    private ServerProcess serve(String name, String store, String queue) throws Exception {
        Path own = Files.createDirectory(folder.resolve(name));
        Files.writeString(own.resolve("user-secret"), SECRET);
        Path config = Files.writeString(own.resolve("orderly.yaml"), """
                store: %s
                edge: { host: 127.0.0.1 }
                queues: { work: %s }
                routes: [ { post: /push, queue: work } ]
                users: { jwt: { secret-file: user-secret } }
                """.formatted(store, queue));
        ServerProcess server = ServerProcess.start(config, own.resolve("log"));
        servers.add(server);
        return server;
    }

    private int port() {
        return worker == null ? 0 : worker.getAddress().getPort();
    }

    /** Collects the user's messages. */
    private List<String> connect(ServerProcess server, String user) throws Exception {
        List<String> received = new CopyOnWriteArrayList<>();
        client.newWebSocketBuilder().header("Authorization", "Bearer " + token(user))
                .buildAsync(URI.create("ws://" + server.edge().getAuthority() + "/.orderly/live"),
                        new WebSocket.Listener() {
                            @Override
                            public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data,
                                    boolean last) {
                                received.add(data.toString());
                                from.request(1);
                                return null;
                            }
                        })
                .get(SOON.toSeconds(), TimeUnit.SECONDS);
        await().atMost(SOON).until(() -> received.contains("{\"orderly\":\"ready\"}"));
        return received;
    }

    private boolean isOnline(ServerProcess server, String user) throws Exception {
        HttpResponse<String> answer = client.send(
                OwnUser.of(server.localAccess(), HttpRequest.newBuilder(server.api().resolve("/api/v1/users/" + user)))
                        .timeout(SOON)
                        .build(),
                BodyHandlers.ofString());
        return JsonMapper.shared().readTree(answer.body()).path("online").asBoolean();
    }

    private HttpResponse<String> post(URI address, String body) throws Exception {
        return client.send(request(address, body).build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(URI address, String body) {
        return HttpRequest.newBuilder(address).header("Content-Type", "application/json").timeout(SOON)
                .POST(BodyPublishers.ofString(body));
    }

    private String token(String user) throws JoseException {
        JsonWebSignature token = new JsonWebSignature();
        token.setAlgorithmHeaderValue(AlgorithmIdentifiers.HMAC_SHA256);
        token.setKey(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        token.setPayload("{\"sub\":\"" + user + "\",\"exp\":" + time.now().plusSeconds(600).getEpochSecond() + "}");
        return token.getCompactSerialization();
    }
}
