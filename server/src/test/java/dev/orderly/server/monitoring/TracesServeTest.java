package dev.orderly.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.orderly.server.OrderlyServer;
import dev.orderly.server.OwnUser;
import dev.orderly.server.ServerInTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way of a trace through a server: from a client to the origin, and through a job to its webhook. */
class TracesServeTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "00-" + TRACE + "-b7ad6b7169203331-01";

    @TempDir
    private Path folder = Path.of("");
    private final Map<String, Headers> seen = new ConcurrentHashMap<>();
    private final Queue<String> exported = new ConcurrentLinkedQueue<>();
    private final HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final HttpClient http = HttpClient.newHttpClient();

    TracesServeTest() throws IOException {
        site.createContext("/", this::answer);
        site.start();
    }

    @AfterEach
    void close() {
        http.close();
        site.stop(0);
    }

    @Test
    void withoutAnExportTheContextOfTheClientReachesOriginAndWebhookUnchanged() throws Exception {
        try (OrderlyServer server = start("")) {
            get(server, "/page", PARENT);
            push(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.edgePort() + "/mail")), PARENT);
            await().until(() -> seen.containsKey("/work"));
            push(server, "plain", null);
            await().until(() -> seen.containsKey("/plain"));
        }

        assertThat(header("/page", "tracestate")).isEqualTo("a=1");
        assertThat(header("/page", "traceparent")).isEqualTo(PARENT);
        assertThat(header("/work", "traceparent")).isEqualTo(PARENT);
        assertThat(header("/work", "tracestate")).isEqualTo("a=1");
        assertThat(header("/plain", "traceparent")).isNull();
        assertThat(exported).isEmpty();
    }

    @Test
    void withAnExportTheSpansOfEdgeAndAttemptAreTheParentsInTheTraceOfTheClient() throws Exception {
        try (OrderlyServer server = start("traces: { url: \"http://127.0.0.1:" + site.getAddress().getPort()
                + "/v1/traces\", sample: 100% }")) {
            get(server, "/page", PARENT);
            get(server, "/other", "not-a-parent");
            push(server, "mail", PARENT);
            await().until(() -> seen.containsKey("/work"));
        }

        for (String path : new String[]{"/page", "/work"}) {
            assertThat(header(path, "traceparent")).startsWith("00-" + TRACE).isNotEqualTo(PARENT);
            assertThat(header(path, "tracestate")).isEqualTo("a=1");
        }
        assertThat(header("/other", "traceparent")).startsWith("00-").doesNotContain(TRACE);
        assertThat(header("/other", "tracestate")).isNull();
        String sent = String.join("", exported);
        assertThat(sent).contains("send mail", "process mail", "GET").doesNotContain("the content");
    }

    private @Nullable String header(String path, String name) {
        return Objects.requireNonNull(seen.get(path)).getFirst(name);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/v1/traces")) {
                exported.add(new String(new GZIPInputStream(exchange.getRequestBody()).readAllBytes(),
                        StandardCharsets.ISO_8859_1));
            } else {
                exchange.getRequestBody().readAllBytes();
                seen.put(path, exchange.getRequestHeaders());
            }
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private OrderlyServer start(String more) throws IOException {
        String origin = "http://127.0.0.1:" + site.getAddress().getPort();
        return ServerInTest.start(Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                secret-file: secret
                edge: { host: 127.0.0.1, port: 0, origin: "%1$s" }
                admin: { port: 0 }
                queues: { mail: { handler: "%1$s/work" }, plain: { handler: "%1$s/plain" } }
                routes: [{ post: /mail, queue: mail }]
                %2$s
                """.formatted(origin, more)));
    }

    private void get(OrderlyServer server, String path, String parent) throws Exception {
        http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.edgePort() + path))
                .header("traceparent", parent).header("tracestate", "a=1").build(), BodyHandlers.discarding());
    }

    private void push(OrderlyServer server, String queue, @Nullable String parent) throws Exception {
        push(OwnUser.of(server, HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort()
                + "/api/v1/queues/" + queue + "/jobs"))), parent);
    }

    private void push(HttpRequest.Builder request, @Nullable String parent) throws Exception {
        request.header("Content-Type", "application/json").POST(BodyPublishers.ofString("\"the content\""));
        if (parent != null) {
            request.header("traceparent", parent).header("tracestate", "a=1");
        }
        assertThat(http.send(request.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(202);
    }
}
