package dev.orderly.http.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.orderly.Orderly;
import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.PushRequest;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.web.webhook.WebhookSecret;
import dev.orderly.web.webhook.WebhookSignature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Base of tests of webhooks: a receiver that keeps what it gets and answers as told, and an engine. */
@Timeout(150)
abstract class WebhookTest {
    static final WebhookSecret SECRET = WebhookSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    static final AttemptTokens TOKENS = new AttemptTokens(List.of(SECRET));
    static final QueueOptions RULES = QueueOptions.STANDARD.withTimeout(Duration.ofSeconds(20))
            .withRetry(new RetryPolicy(3, Duration.ofMillis(1), 1, Duration.ofMillis(1), 0));

    final Orderly orderly = Orderly.open(new MemoryStore());
    final HttpClient client = WebhookHandler.newClient();
    final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
    final BlockingQueue<Got> got = new LinkedBlockingQueue<>(100);
    final AtomicReference<Answering> answer = new AtomicReference<>(exchange -> reply(exchange, 204, "", ""));
    final HttpServer receiver = listening();

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Got(String method, URI uri, Map<String, List<String>> headers, byte[] body) {
        WebhookSignature signature() {
            return new WebhookSignature(header(WebhookSignature.ID), header(WebhookSignature.TIMESTAMP),
                    header(WebhookSignature.SIGNATURE));
        }

        String header(String name) {
            return headers.entrySet().stream().filter(e -> e.getKey().equalsIgnoreCase(name)).findFirst()
                    .map(e -> e.getValue().getFirst()).orElse("");
        }
    }

    interface Answering {
        void answer(HttpExchange exchange) throws IOException;
    }

    private static HttpServer listening() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeEach
    void open() {
        receiver.setExecutor(workers);
        receiver.createContext("/", exchange -> {
            got.add(new Got(exchange.getRequestMethod(), exchange.getRequestURI(),
                    Map.copyOf(exchange.getRequestHeaders()), exchange.getRequestBody().readAllBytes()));
            answer.get().answer(exchange);
        });
        receiver.start();
    }

    @AfterEach
    void close() {
        orderly.close();
        client.shutdownNow();
        receiver.stop(0);
        workers.shutdownNow();
    }

    static void reply(HttpExchange exchange, int status, String contentType, String body) throws IOException {
        if (!contentType.isEmpty()) {
            exchange.getResponseHeaders().set("Content-Type", contentType);
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    URI url(String path) {
        return URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + path);
    }

    final JobId push(PushRequest request) {
        return orderly.jobs().push(request).id();
    }

    final JobView ended(JobId id, JobState state) {
        await().atMost(Duration.ofSeconds(60)).untilAsserted(
                () -> assertThat(orderly.jobs().find(id).orElseThrow().state()).isEqualTo(state));
        return orderly.jobs().find(id).orElseThrow();
    }
}
