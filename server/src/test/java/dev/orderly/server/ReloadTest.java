package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.http.api.ConfigReload.Result;
import dev.orderly.testkit.tls.TestAuthority;
import dev.orderly.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A running server takes over a changed configuration. */
class ReloadTest {
    private static final int CLIENTS = 4;

    @TempDir
    private Path folder = Path.of("");
    private final HttpClient http = HttpClient.newHttpClient();
    private final HttpServer one = site("one");
    private final HttpServer two = site("two");
    private @Nullable OrderlyServer server;

    ReloadTest() throws IOException {}

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
        http.close();
        one.stop(0);
        two.stop(0);
    }

    @Test
    void aChangedFileIsInForceWithoutAFailedRequest() throws Exception {
        start(file(one, "mail: { concurrency: 2 }", "{ post: /mail, queue: mail }",
                "sale: { match: [\"/tickets/**\"], capacity: 1 }"));
        assertThat(get("/tickets/").statusCode()).isEqualTo(200);
        assertThat(get("/tickets/").statusCode()).isEqualTo(503);
        try (Load load = new Load()) {
            for (int round = 0; round < 5; round++) {
                write(file(round % 2 == 0 ? two : one, "mail: { concurrency: 3 }", "{ post: /mail, queue: mail }",
                        "sale: { match: [\"/tickets/**\"], capacity: 1, page: { title: Round " + round + " } }"));
                assertThat(server().reload()).isInstanceOf(Result.Applied.class);
                load.awaitMore();
            }
            write(file(two, "mail: { concurrency: 5, timeout: 1m }, later: {}",
                    "{ post: /mail, queue: mail }, { post: /later, queue: later }", """
                            sale: { match: ["/tickets/**"], capacity: 2, page: { title: Another title } },
                                     seats: { match: ["/seats/**"], capacity: 1 }"""));
            assertThat(server().reload()).isEqualTo(new Result.Applied(
                    List.of("rooms.sale", "rooms.seats", "queues.mail", "queues.later", "routes"), List.of()));
            load.awaitMore();
            assertThat(load.failures).isEmpty();
        }
        assertThat(get("/").body()).isEqualTo("two");
        assertThat(post("/later").statusCode()).isEqualTo(202);
        assertThat(api("/queues/mail").path("options").path("concurrency").asInt()).isEqualTo(5);
        assertThat(get("/seats/").statusCode()).isEqualTo(200);
        assertThat(get("/seats/").statusCode()).isEqualTo(503);
        Awaitility.await().until(() -> api("/rooms/sale").path("limits").path("configured").path("capacity")
                .asInt() == 2);
        Awaitility.await().untilAsserted( // the places inside that are free by now are taken first
                () -> assertThat(send(edge("/tickets/").header("Accept", "text/html")).body())
                        .contains("Another title"));
    }

    @Test
    void aCrowdedNetworkWorksForItsPlacesFromAReloadOn() throws Exception {
        String first = file(one, "mail: {}", "{ post: /mail, queue: mail }",
                "sale: { match: [\"/tickets/**\"], capacity: 1 }");
        start(first);
        assertThat(get("/tickets/").statusCode()).isEqualTo(200);
        write(first.replace("capacity: 1", "capacity: 1, proof-of-work: { crowded-from: 1 }"));
        assertThat(server().reload()).isEqualTo(new Result.Applied(List.of("rooms.sale"), List.of()));
        assertThat(get("/tickets/").statusCode()).isEqualTo(429);
    }

    @Test
    void aFaultyFileChangesNothing() throws Exception {
        start(file(one, "mail: {}", "{ post: /mail, queue: mail }", "sale: { match: [\"/tickets/**\"], capacity: 1 }"));
        write(file(two, "mail: { concurrency: 9 }", "{ post: /mail, queue: none }",
                "sale: { match: [\"/tickets/**\"], capacity: 0 }"));

        assertThat(server().reload()).isInstanceOfSatisfying(Result.Refused.class, refused -> assertThat(
                refused.problems()).anySatisfy(problem -> assertThat(problem).contains("rooms.sale.capacity"))
                .anySatisfy(problem -> assertThat(problem).contains("none")));
        HttpResponse<String> answer = send(api("/config/reload", "POST"));
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body()).contains("Nothing was changed", "rooms.sale.capacity");

        assertThat(get("/").body()).isEqualTo("one");
        assertThat(api("/queues/mail").path("options").path("concurrency").asInt()).isEqualTo(32);
    }

    @Test
    void everyReloadIsInTheAuditLogWhetherBySignalOrByCommand() throws Exception {
        String first = file(one, "mail: {}", "{ post: /mail, queue: mail }",
                "sale: { match: [\"/tickets/**\"], capacity: 1 }");
        start(first);
        write(first.replace("capacity: 1", "capacity: 2"));
        server().reload();
        assertThat(send(api("/config/reload", "POST")).statusCode()).isEqualTo(200);
        write(first.replace("capacity: 1", "capacity: 0"));
        server().reload();
        send(api("/config/reload", "POST"));
        JsonNode entries = api("/audit?operation=reloadConfig").path("entries");
        assertThat(entries.valueStream().map(entry -> entry.path("outcome").asString()))
                .containsExactly("failed", "failed", "done", "done");
        assertThat(entries.valueStream().map(entry -> entry.path("address").asString()))
                .containsExactly("127.0.0.1", "SIGHUP", "127.0.0.1", "SIGHUP");
        assertThat(entries.path(3).path("after").asString()).contains("rooms.sale");
        assertThat(entries.path(1).path("after").asString()).contains("rooms.sale.capacity");
    }

    @Test
    void twoRoomsOnOnePathChangeNothing() throws Exception {
        start(file(one, "mail: {}", "{ post: /mail, queue: mail }", "sale: { match: [\"/tickets/**\"], capacity: 1 }"));
        write(file(two, "mail: { concurrency: 9 }", "{ post: /mail, queue: mail }", """
                sale: { match: ["/tickets/**"], capacity: 7 }, other: { match: ["/tickets/**"], capacity: 1 }"""));

        assertThat(server().reload()).isInstanceOf(Result.Refused.class);

        assertThat(get("/").body()).isEqualTo("one");
        assertThat(api("/queues/mail").path("options").path("concurrency").asInt()).isEqualTo(32);
        assertThat(get("/tickets/").statusCode()).isEqualTo(200);
        assertThat(get("/tickets/").statusCode()).isEqualTo(503);
    }

    @Test
    void whatNeedsARestartIsNamedAtEachReloadAndStaysAsItWas() throws Exception {
        start(file(one, "mail: {}, gone: {}", "{ post: /mail, queue: mail }",
                "sale: { match: [\"/tickets/**\"], capacity: 1 }, old: { match: [\"/old/**\"], capacity: 1 }"));
        write(file(one, "mail: { handler: \"http://127.0.0.1:9/\", concurrency: 7 }", "{ post: /mail, queue: mail }",
                "sale: { match: [\"/tickets/**\"], capacity: 3, pass-idle: 1m }")
                .replace("orderly.db", "other.db") + "stop-grace: 1s\n");

        List<String> restart = List.of("store", "stop-grace", "rooms.sale.pass-idle", "rooms.old",
                "queues.mail.handler", "queues.gone");
        assertThat(server().reload()).isEqualTo(new Result.Applied(List.of("rooms.sale", "queues.mail"), restart));
        assertThat(server().reload()).isEqualTo(new Result.Applied(List.of(), restart));

        assertThat(get("/old/").statusCode()).isEqualTo(200);
        assertThat(get("/old/").statusCode()).isEqualTo(503);
        assertThat(api("/queues/mail").path("options").path("concurrency").asInt()).isEqualTo(7);
        assertThat(folder.resolve("other.db")).doesNotExist();
    }

    @Test
    void ofSeveralKeysOfAPartTheChangedOneIsNamed() throws Exception {
        String first = file(one, "mail: {}", "{ post: /mail, queue: mail }",
                "sale: { match: [\"/tickets/**\"], capacity: 1, move: false }");
        start(first);
        write(first.replace("admin: { port: 0 }", "admin: { port: 0, host: 127.0.0.2 }")
                .replace("warm-up: 0s", "warm-up: 1s, limits: { connections: 77 }")
                .replace("move: false", "move: true, poll: 3s-9s, health: {}"));
        List<String> restart = List.of("edge.limits.connections", "edge.warm-up", "admin.host",
                "rooms.sale.poll", "rooms.sale.health.target", "rooms.sale.health.max-failures");

        assertThat(server().reload()).isEqualTo(new Result.Applied(List.of("rooms.sale"), restart));

        assertThat(api("/config").path("values").valueStream().filter(value -> value.path("pending").isString())
                .map(value -> value.path("key").asString())).containsExactlyInAnyOrder("edge.warm-up", "admin.host",
                        "rooms.sale.poll");
        assertThat(server().reload()).isEqualTo(new Result.Applied(List.of(), restart));
    }

    @Test
    void tlsIsSwitchedOnByARestartOnlyAndTheReloadSaysSo() throws Exception {
        new TestAuthority(Time.system().now()).issue("localhost").write(folder, "shop");
        String plain = file(one, "mail: {}", "{ post: /mail, queue: mail }",
                "sale: { match: [\"/tickets/**\"], capacity: 1 }");
        start(plain);
        write(plain.replace("warm-up: 0s", "warm-up: 0s, tls: { certificate: shop.pem, key: shop.key }"));
        assertThat(server().reload())
                .isEqualTo(new Result.Applied(List.of(), List.of("edge.tls (switched on)")));
        assertThat(get("/").body()).isEqualTo("one");
    }

    // ---- the server

    /** A configuration with these parts; the rest does not change. */
    private static String file(HttpServer origin, String queues, String routes, String rooms) {
        return """
                store: sqlite:orderly.db
                edge: { host: 127.0.0.1, port: 0, warm-up: 0s, origin: "http://127.0.0.1:%s" }
                admin: { port: 0 }
                queues: { %s }
                routes: [ %s ]
                rooms: { %s }
                """.formatted(origin.getAddress().getPort(), queues, routes, rooms);
    }

    private void write(String text) throws IOException {
        Files.writeString(folder.resolve("orderly.yaml"), text);
    }

    private void start(String text) throws IOException {
        write(text);
        server = ServerInTest.start(folder.resolve("orderly.yaml"));
    }

    private OrderlyServer server() {
        return Objects.requireNonNull(server);
    }

    private static HttpServer site(String name) throws IOException {
        HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        byte[] body = name.getBytes(StandardCharsets.US_ASCII);
        site.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        site.start();
        return site;
    }

    // ---- requests

    private HttpResponse<String> get(String path) throws Exception {
        return send(edge(path).GET());
    }

    private HttpResponse<String> post(String path) throws Exception {
        return send(edge(path).POST(BodyPublishers.ofString("{}")));
    }

    private HttpRequest.Builder edge(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server().edgePort() + path));
    }

    private HttpRequest.Builder api(String path, String method) {
        return OwnUser.of(server(), HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server().adminPort()
                + "/api/v1" + path))).method(method, BodyPublishers.noBody());
    }

    private JsonNode api(String path) throws Exception {
        return JsonMapper.shared().readTree(send(api(path, "GET")).body());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    /** Clients that ask for pages of the site and push jobs, one request after the other. */
    private final class Load implements AutoCloseable {
        private final Queue<String> failures = new ConcurrentLinkedQueue<>();
        private final AtomicInteger answers = new AtomicInteger();
        private final AtomicBoolean over = new AtomicBoolean();
        private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();

        Load() {
            for (int client = 0; client < CLIENTS; client++) {
                clients.execute(this::run);
            }
        }

        private void run() {
            while (!over.get()) {
                try {
                    HttpResponse<String> page = get("/");
                    HttpResponse<String> job = post("/mail");
                    if (page.statusCode() != 200 || job.statusCode() != 202) {
                        failures.add(page.statusCode() + " " + page.body() + ", " + job.statusCode() + job.body());
                    }
                    answers.incrementAndGet();
                } catch (Exception e) {
                    failures.add(e.toString());
                    return;
                }
            }
        }

        /** Waits for answers that began after now. */
        void awaitMore() {
            int before = answers.get();
            Awaitility.await().until(() -> answers.get() > before + 2 * CLIENTS || !failures.isEmpty());
        }

        @Override
        public void close() {
            over.set(true);
            clients.close();
        }
    }
}
