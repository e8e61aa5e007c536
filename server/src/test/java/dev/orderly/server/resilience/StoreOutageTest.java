package dev.orderly.server.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.config.Config;
import dev.orderly.config.reader.ConfigResult;
import dev.orderly.server.OrderlyServer;
import dev.orderly.server.OwnUser;
import dev.orderly.server.ServerInTest;
import dev.orderly.server.StartFailedException;
import dev.orderly.testkit.server.FaultProxy;
import dev.orderly.testkit.server.FreePort;
import dev.orderly.testkit.server.PostgresServer;
import dev.orderly.testkit.server.RedisNode;
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
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gate with jobs in PostgreSQL and rooms in Redis, each of which goes away and comes back. */
@Tag("slow")
@Timeout(300)
class StoreOutageTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger reached = new AtomicInteger();
    private final int edge = FreePort.find();
    private final int metrics = FreePort.find();
    @TempDir
    private Path folder;
    private HttpServer origin;
    private PostgresServer postgres;
    private RedisNode redis;
    private FaultProxy jobs;
    private FaultProxy rooms;

    @BeforeEach
    void open() throws IOException {
        origin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        origin.createContext("/", exchange -> {
            reached.incrementAndGet();
            byte[] body = "the shop".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        origin.start();
        postgres = PostgresServer.startIn(folder.resolve("postgres"), "fsync=off");
        redis = RedisNode.start();
        jobs = new FaultProxy(postgres.port());
        rooms = new FaultProxy(redis.port());
    }

    @AfterEach
    void close() {
        jobs.close();
        rooms.close();
        redis.close();
        postgres.close();
        origin.stop(0);
        http.close();
    }

    private Config config() throws IOException {
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: { jobs: "postgres://postgres@127.0.0.1:%d/postgres", rooms: "%s" }
                edge: { port: %d, host: 127.0.0.1, origin: "http://127.0.0.1:%d", warm-up: 0s }
                admin: { port: 0 }
                metrics: { port: %d }
                rooms: { sale: { match: ["/tickets/**"], capacity: 10 } }
                """.formatted(jobs.port(), redis.urlOver(rooms.port()), edge, origin.getAddress().getPort(), metrics));
        return ServerInTest.config(file);
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(90)).ignoreExceptionsInstanceOf(IOException.class);
    }

    private HttpResponse<String> get(int port, String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        return http.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> ownUser(OrderlyServer server, String method, String path, String body)
            throws Exception {
        return http.send(OwnUser.of(server, HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort()
                + path))).header("Content-Type", "application/json").method(method, BodyPublishers.ofString(body))
                .build(), BodyHandlers.ofString());
    }

    @Test
    void aGateStaysReadyInAnOutageOfEachPartAndItsRoomsAreOperated() throws Exception {
        try (OrderlyServer server = OrderlyServer.start(config(), Map.of())) {
            HttpResponse<String> entered = get(edge, "/tickets/1");
            assertThat(entered.body()).isEqualTo("the shop");
            String pass = entered.headers().allValues("Set-Cookie").stream().filter(one -> one.contains("orderly_p_"))
                    .findFirst().orElseThrow().split(";", 2)[0];

            rooms.refuse();
            soon().until(() -> get(metrics, "/health/ready").body().contains("The store of rooms has not answered"));
            assertThat(get(metrics, "/health/ready").statusCode()).isEqualTo(200);
            assertThat(get(metrics, "/metrics").body()).contains("orderly_store_up{part=\"rooms\"} 0.0");
            assertThat(get(edge, "/tickets/2", "Cookie", pass).body()).isEqualTo("the shop");
            rooms.pass();
            soon().until(() -> !get(metrics, "/health/ready").body().contains("warnings"));

            jobs.refuse();
            soon().until(() -> get(metrics, "/health/ready").body().contains("The store of jobs has not answered"));
            assertThat(get(metrics, "/health/ready").statusCode()).isEqualTo(200);
            HttpResponse<String> held = ownUser(server, "POST", "/api/v1/rooms/sale/mode", "{\"mode\": \"hold\"}");
            assertThat(held.statusCode()).as(held.body()).isEqualTo(200);
            soon().until(() -> get(edge, "/tickets/3").statusCode() == 503);
            jobs.pass();
            soon().until(() -> !get(metrics, "/health/ready").body().contains("warnings"));
            soon().until(() -> ownUser(server, "GET", "/api/v1/queues", "").statusCode() == 200);
        }
    }

    @Test
    void aGateThatStartsInTheOutageWaitsForItsStoreAndServesWhatItCan() throws Exception {
        jobs.refuse();
        Config config = config();
        CompletableFuture<OrderlyServer> started = new CompletableFuture<>();
        CountDownLatch givenUp = new CountDownLatch(1);
        Thread start = Thread.ofPlatform().start(() -> {
            try {
                started.complete(OrderlyServer.start(config, () -> new ConfigResult.Valid(config), Map.of(),
                        wait -> !given(givenUp, wait)));
            } catch (RuntimeException e) {
                started.completeExceptionally(e);
            }
        });
        try {
            soon().until(() -> get(metrics, "/health/live").statusCode() == 200);
            soon().until(() -> get(edge, "/tickets/1").statusCode() == 503);
            HttpResponse<String> ready = get(metrics, "/health/ready");
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("waits for its store");
            HttpResponse<String> page = get(edge, "/tickets/1", "Accept", "text/html", "Accept-Language", "de");
            assertThat(page.statusCode()).isEqualTo(503);
            assertThat(page.headers().firstValue("Retry-After")).isPresent();
            assertThat(page.body()).contains("Einen Moment, bitte", "http-equiv=\"refresh\"");
            assertThat(get(edge, "/elsewhere").body()).contains("urn:orderly:problem:unavailable");
            assertThat(reached).hasValue(0);

            jobs.pass();
            try (OrderlyServer server = started.get(120, TimeUnit.SECONDS)) {
                assertThat(server.edgePort()).isEqualTo(edge);
                soon().until(() -> get(metrics, "/health/ready").statusCode() == 200);
                soon().until(() -> get(edge, "/tickets/1").body().equals("the shop"));
            }
        } finally {
            givenUp.countDown();
            start.join();
        }
    }

    @Test
    void aStartThatIsGivenUpInTheOutageEndsAndFreesItsAddresses() throws Exception {
        rooms.refuse();
        Config config = config();
        AtomicInteger pauses = new AtomicInteger();
        CompletableFuture<String> ended = CompletableFuture.supplyAsync(() -> {
            try {
                OrderlyServer.start(config, () -> new ConfigResult.Valid(config), Map.of(),
                        _ -> pauses.incrementAndGet() < 2);
                return "started";
            } catch (StartFailedException e) {
                return String.valueOf(e.getMessage());
            }
        });
        assertThat(ended.get(120, TimeUnit.SECONDS)).contains("given up");
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), edge), 1).stop(0);
    }

    private static boolean given(CountDownLatch latch, Duration wait) {
        try {
            return latch.await(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
