package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.telemetry.metrics.MetricCatalogue;
import dev.orderly.telemetry.metrics.MetricsReference;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
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
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The listener of metrics and health of a running server, which has served a few requests. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsTest {
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\S+) (\\S+)$");

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Guest inside = new Guest();
    private final Guest outside = new Guest();
    private final HttpServer site;
    private final Receiver worker;
    private OrderlyServer server;

    MetricsTest() throws IOException {
        site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        worker = new Receiver();
    }

    @BeforeAll
    void start(@TempDir Path folder) throws IOException {
        site.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        site.start();
        Path file = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { port: 0, warm-up: 0s, origin: "http://127.0.0.1:%d" }
                admin: { port: 0, hosts: [metrics.example] }
                metrics: { port: 0 }
                queues: { mail: { handler: "%s" }, held: { limit: { concurrency: 5 } } }
                routes: [ { post: /mail, queue: mail }, { post: /held, queue: held } ]
                rooms: { sale: { match: ["/tickets/**"], capacity: 1 } }
                schedules: { yearly: { cron: "0 0 1 1 *", queue: held, payload: { a: 1 } } }
                """.formatted(site.getAddress().getPort(), worker.url()));
        server = ServerInTest.start(file);
        use();
    }

    @AfterAll
    void stop() {
        server.close();
        site.stop(0);
        worker.close();
        inside.close();
        outside.close();
        http.close();
    }

    @Test
    void aScrapeHasEachMetricOfTheCatalogueAndNoOther() {
        String page = scrape("").body();
        Set<String> found = names(page);
        Set<String> described = new TreeSet<>();
        Set<String> always = new TreeSet<>();
        MetricCatalogue.all().forEach(metric -> {
            described.add(metric.name());
            if (metric.isHistogram()) {
                described.add(metric.name() + "_max");
            }
            if (!RARE.contains(metric.when())) {
                always.add(metric.name());
            }
        });
        assertThat(found).as("undescribed: describe them in MetricCatalogue").isSubsetOf(described);
        assertThat(found).as("described, but not there").containsAll(always);
    }

    /** Conditions that this server does not meet. */
    private static final Set<String> RARE = Set.of("with PostgreSQL", "once a wait was announced",
            "while this node settles jobs of the queue", "with some collectors", "once there was a pause",
            "once a call has failed", "with tiers", "once an equal push has come", "while the queue has such keys");

    @Test
    void countersAndGaugesFollowWhatHappens() {
        String page = scrape("").body();
        assertThat(page).contains("orderly_jobs_pushed_total{queue=\"mail\",result=\"accepted\"} 3.0",
                "orderly_jobs_settled_total{outcome=\"done\",queue=\"mail\"} 3.0",
                "orderly_jobs{queue=\"held\",state=\"waiting\"} 1.0",
                "orderly_jobs_wait_seconds_count{queue=\"mail\"} 3",
                "orderly_jobs_run_seconds_count{queue=\"mail\"} 3", "orderly_jobs_lanes_mended_total 0.0",
                "orderly_store_up{part=\"all\"} 1.0", "orderly_room_length{room=\"sale\"} 2.0",
                "orderly_room_inside{room=\"sale\"} 1.0", "orderly_room_admitted_total{room=\"sale\"} 1.0",
                "orderly_room_mode{mode=\"auto\",room=\"sale\"} 1.0",
                "orderly_edge_requests_total{class=\"pass\",room=\"sale\",status=\"2xx\"} 1.0",
                "orderly_edge_requests_total{class=\"waiting\",room=\"sale\",status=\"5xx\"} 1.0",
                "orderly_edge_requests_total{class=\"open\",room=\"\",status=\"2xx\"} 1.0",
                "orderly_edge_requests_total{class=\"push\",room=\"\",status=\"2xx\"} 4.0",
                "orderly_edge_origin_seconds_count{class=\"pass\"} 1",
                "orderly_schedule_lag_seconds{schedule=\"yearly\"}",
                "orderly_schedule_undeclared{schedule=\"yearly\"} 0.0");
    }

    @Test
    void aScraperThatAsksGetsOpenMetrics() {
        HttpResponse<String> text = scrape("text/plain");
        assertThat(text.headers().firstValue("Content-Type").orElse("")).startsWith("text/plain; version=0.0.4");
        HttpResponse<String> open = scrape("application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5");
        assertThat(open.headers().firstValue("Content-Type").orElse("")).startsWith("application/openmetrics-text");
        assertThat(open.body()).endsWith("# EOF\n").contains("# TYPE orderly_jobs_lanes_mended counter");
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1, 200", "localhost, 200", "evil.example, 421", "127.0.0.1.evil.example, 421",
            "localhost.evil.example, 421", "metrics.example, 200"})
    void noPageOfAnotherSiteReadsTheMetricsByANameOfItsOwn(String host, int status) throws IOException {
        for (String path : List.of("/metrics", "/health/live")) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.metricsPort())) {
                socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: " + host + ":"
                        + server.metricsPort() + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 " + status + " ");
            }
        }
    }

    @Test
    void theListenerHasMetricsAndHealthAndNothingElse() {
        Awaitility.await().atMost(SOON).until(() -> send("/health/ready", "").statusCode() == 200);
        assertThat(send("/health/ready", "").body()).contains("\"status\":\"ready\"", "\"store\":\"ok\"",
                "\"governor\":\"ok\"", "\"warm-up\":\"ok\"");
        assertThat(send("/health/live", "").body()).contains("live");
        for (String other : List.of("/", "/api/v1/queues", "/api/v1/openapi.json", "/login", "/mail", "/tickets/",
                "/metrics/", "/health")) {
            assertThat(send(other, "").statusCode()).as(other).isEqualTo(404);
        }
    }

    @Test
    void thePageInTheRepositoryMatchesTheCatalogue() throws IOException {
        Path page = Path.of(System.getProperty("basedir", ".")).resolve("../docs/metrics.md");
        assertThat(Files.isRegularFile(page) ? Files.readString(page) : "")
                .as("docs/metrics.md is out of date: run ./orderly config metrics > docs/metrics.md")
                .isEqualTo(MetricsReference.markdown());
    }

    /** Three jobs done, one held; a visitor inside, one who waits; a request without a room. */
    private void use() {
        for (int n = 0; n < 3; n++) {
            post("/mail");
        }
        post("/held");
        assertThat(inside.get(edge("/tickets/")).statusCode()).isEqualTo(200);
        assertThat(outside.get(edge("/tickets/")).statusCode()).isEqualTo(503);
        assertThat(outside.get(edge("/")).statusCode()).isEqualTo(200);
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(scrape("").body()).contains(
                "orderly_jobs_settled_total{outcome=\"done\",queue=\"mail\"} 3.0",
                "orderly_room_length{room=\"sale\"} 2.0",
                "orderly_room_admitted_total{room=\"sale\"} 1.0",
                "orderly_jobs{queue=\"held\",state=\"waiting\"} 1.0"));
    }

    private static Set<String> names(String page) {
        Set<String> names = new TreeSet<>();
        Matcher type = TYPE.matcher(page);
        while (type.find()) {
            names.add(type.group(1));
        }
        return names;
    }

    private void post(String path) {
        try {
            assertThat(http.send(HttpRequest.newBuilder(edge(path)).POST(BodyPublishers.ofString("{}")).build(),
                    BodyHandlers.discarding()).statusCode()).isEqualTo(202);
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> scrape(String accept) {
        return send("/metrics", accept);
    }

    private HttpResponse<String> send(String path, String accept) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + server.metricsPort() + path)).timeout(SOON);
            return http.send((accept.isEmpty() ? request : request.header("Accept", accept)).build(),
                    BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private URI edge(String path) {
        return URI.create("http://127.0.0.1:" + server.edgePort() + path);
    }
}
