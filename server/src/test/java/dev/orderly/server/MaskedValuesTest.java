package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.orderly.testkit.resilience.LogLines;
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
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A masked value of a running server, looked for in everything that comes out of it but the job's own worker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MaskedValuesTest {
    private static final String CARD = "4111222233334444";
    private static final Pattern LINK = Pattern.compile("(?:href|hx-get)=\"(/[^\"#]*)");
    private static final int PAGES_MAX = 150;

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<String> works = new ConcurrentLinkedQueue<>();
    private final Queue<String> alerts = new ConcurrentLinkedQueue<>();
    private final LogLines log = LogLines.of("dev.orderly", Level.DEBUG);
    private HttpServer outside;
    private OrderlyServer server;
    private String job = "";

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        outside = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        outside.createContext("/work", exchange -> {
            String body = text(exchange);
            works.add(body + " " + exchange.getRequestHeaders().getFirst("Orderly-Params"));
            answer(exchange, 422, "No card " + CARD + " in " + body);
        });
        outside.createContext("/alerts", exchange -> {
            alerts.add(text(exchange));
            answer(exchange, 200, "");
        });
        outside.start();
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { port: 0, host: 127.0.0.1, warm-up: 0s }
                admin: { port: 0 }
                metrics: { port: 0 }
                redact: [card]
                alerts: { url: "http://127.0.0.1:%1$d/alerts" }
                queues: { orders.fifo: { handler: "http://127.0.0.1:%1$d/work" }, later: {} }
                routes: [ { post: "/pay/{group}/{card}/{dedupe}", queue: orders.fifo } ]
                stop-grace: 1s
                """.formatted(outside.getAddress().getPort()));
        server = ServerInTest.start(file);
        HttpResponse<String> pushed = client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                + server.edgePort() + "/pay/ann/" + CARD + "/form-7")).header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"card\":\"" + CARD + "\",\"to\":\"ann\"}")).build(),
                BodyHandlers.ofString());
        job = pushed.headers().firstValue("X-Job-Id").orElseThrow();
        await().atMost(Duration.ofMinutes(1))
                .until(() -> "dead".equals(json("/api/v1/jobs/" + job).path("state").asString()));
    }

    @AfterAll
    void stop() {
        server.close();
        outside.stop(0);
        client.close();
        log.close();
    }

    private static String text(HttpExchange exchange) throws IOException {
        return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(status, text.isEmpty() ? -1 : text.length());
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
        exchange.close();
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(OwnUser.of(server, HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                + server.adminPort() + path))).header("Accept", path.startsWith("/api") ? "*/*" : "text/html").build(),
                BodyHandlers.ofString());
    }

    private JsonNode json(String path) throws Exception {
        return JsonMapper.shared().readTree(get(path).body());
    }

    @Test
    void theWorkerHasTheValueAndTheDeadLetterDoesNot() throws Exception {
        assertThat(works.peek()).contains(CARD, "card=" + CARD);
        JsonNode dead = json("/api/v1/jobs/" + job);
        assertThat(dead.path("params").path("card").asString()).isEqualTo("[masked]");
        assertThat(dead.path("failure").path("summary").asString()).startsWith("No card [masked] in");
    }

    @Test
    void noAnswerOfTheApiHasIt() throws Exception {
        Map<String, Integer> asked = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> path : json("/api/v1/openapi.json").path("paths").properties()) {
            if (path.getValue().has("get")) {
                String filled = path.getKey().replace("{id}", job).replace("{queue}", "orders.fifo")
                        .replaceAll("\\{\\w+}", "x");
                HttpResponse<String> answer = get(filled.startsWith("/api") || filled.startsWith("/health")
                        ? filled
                        : "/api/v1" + filled);
                assertThat(answer.body()).as(path.getKey()).doesNotContain(CARD);
                asked.put(path.getKey(), answer.statusCode());
            }
        }
        assertThat(asked.values().stream().filter(status -> status == 200).count()).as(asked.toString())
                .isGreaterThan(15);
        for (String list : List.of("/jobs?state=dead", "/jobs?q=no%20card", "/queues/orders.fifo/jobs?state=dead")) {
            assertThat(get("/api/v1" + list).body()).contains(job).doesNotContain(CARD);
        }
    }

    @Test
    void noPageOfTheDashboardHasIt() throws Exception {
        Deque<String> open = new ArrayDeque<>(List.of("/", "/jobs", "/jobs/" + job, "/jobs/" + job + "/payload",
                "/bulk?action=redrive&queue=orders.fifo", "/audit/export?format=csv", "/audit/export?format=ndjson"));
        Map<String, Integer> seen = new LinkedHashMap<>();
        while (!open.isEmpty() && seen.size() < PAGES_MAX) {
            String path = open.poll().replace("&amp;", "&").replace("&#x3D;", "=");
            if (!seen.containsKey(path)) {
                HttpResponse<String> page = get(path);
                seen.put(path, page.statusCode());
                assertThat(page.body()).as(path).doesNotContain(CARD);
                Matcher links = LINK.matcher(page.body());
                while (links.find()) {
                    open.add(links.group(1));
                }
            }
        }
        assertThat(seen).containsEntry("/jobs/" + job, 200).containsEntry("/jobs/" + job + "/payload", 200)
                .containsEntry("/queues/orders.fifo/dead", 200).hasSizeGreaterThan(20);
        assertThat(get("/jobs?param=card%3D" + CARD).statusCode()).isEqualTo(422);
        assertThat(get("/jobs?param=card%3D1").body()).contains("masked");
        assertThat(get("/jobs?q=" + CARD).body()).doesNotContain(job);
    }

    @Test
    void neitherMetricsNorLogLinesNorAlertsHaveIt() throws Exception {
        await().atMost(Duration.ofMinutes(1)).until(() -> !alerts.isEmpty());
        HttpResponse<String> metrics = client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                + server.metricsPort() + "/metrics")).build(), BodyHandlers.ofString());
        assertThat(metrics.body()).contains("orders.fifo").doesNotContain(CARD);
        assertThat(String.join("\n", alerts)).contains("orders.fifo").doesNotContain(CARD);
        List<String> lines = log.events().stream().map(event -> event.getFormattedMessage() + event.getMDCPropertyMap()
                + (event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy())))
                .toList();
        assertThat(lines).anyMatch(line -> line.contains("is a dead letter") && line.contains("[masked]"))
                .noneMatch(line -> line.contains(CARD));
    }
}
