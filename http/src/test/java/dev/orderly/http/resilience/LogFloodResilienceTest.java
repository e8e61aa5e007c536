package dev.orderly.http.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.Orderly;
import dev.orderly.http.Node;
import dev.orderly.http.listener.HttpLimits;
import dev.orderly.http.webhook.AttemptTokens;
import dev.orderly.http.webhook.Webhook;
import dev.orderly.http.webhook.WebhookHandler;
import dev.orderly.job.JobState;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueOptions;
import dev.orderly.job.RetryPolicy;
import dev.orderly.job.StandardQueue;
import dev.orderly.job.present.Redaction;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.MemoryStore;
import dev.orderly.testkit.resilience.InterceptedStore;
import dev.orderly.testkit.resilience.LogLines;
import dev.orderly.time.Time;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients and receivers that fail in crowds write one line a second, and the next line says how many were left out. */
@Timeout(120)
class LogFloodResilienceTest {
    private static final int CROWD = 300;
    private static final String COUNT = "like it since the last line";

    private final LogLines lines = LogLines.of("dev.orderly");

    @AfterEach
    void forget() {
        lines.close();
    }

    /** Asks in a crowd, and then until a line with a count is written. */
    private void floods(Runnable step, String part) {
        long began = Time.system().nanos();
        IntStream.range(0, CROWD).forEach(_ -> step.run());
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            step.run();
            return lines.with(part).stream().anyMatch(line -> line.contains(COUNT));
        });
        Duration took = Duration.ofNanos(Time.system().nanos() - began);
        assertThat(lines.with(part)).hasSizeLessThanOrEqualTo(Math.toIntExact(took.toSeconds()) + 2);
    }

    @Test
    void requestsWhileTheStoreIsAwayAreOneLineASecond() {
        InterceptedStore store = new InterceptedStore(new MemoryStore());
        try (Node node = new Node(store, HttpLimits.DEFAULT)) {
            store.before(() -> {
                throw new StoreException.Unavailable("The database is away", null);
            });
            floods(() -> assertThat(node.post(node.atEdge("/mail"), "text/plain", "a").status()).isEqualTo(503),
                    "the store is not available");
            store.heal();
        }
    }

    @Test
    void requestsThatFailUnexpectedlyAreOneLineASecondWithTheStackOfOne() {
        InterceptedStore store = new InterceptedStore(new MemoryStore());
        try (Node node = new Node(store, HttpLimits.DEFAULT)) {
            store.before(() -> {
                throw new IllegalStateException("broken");
            });
            floods(() -> assertThat(node.get("/queues").status()).isEqualTo(500), "A request failed");
            store.heal();
        }
        assertThat(lines.events()).anyMatch(event -> event.getFormattedMessage().startsWith("A request failed")
                && event.getThrowableProxy() != null);
    }

    @Test
    void webhooksThatFailAreOneLineASecondForEachQueue() {
        QueueOptions once = QueueOptions.STANDARD.withRetry(new RetryPolicy(2, Duration.ofMillis(1), 1,
                Duration.ofMillis(1), 0));
        try (Orderly orderly = Orderly.open(new MemoryStore()); HttpClient client = WebhookHandler.newClient()) {
            StandardQueue<Payload> queue = orderly.queue("mails", Payload.class, _ -> once);
            Webhook nowhere = new Webhook(URI.create("http://127.0.0.1:1/"), List.of());
            orderly.handle(queue,
                    new WebhookHandler(nowhere, new AttemptTokens(List.of()), Redaction.NONE, () -> client,
                            Time.system()));
            orderly.start();
            long began = Time.system().nanos();
            orderly.jobs().pushAll(IntStream.range(0, CROWD)
                    .mapToObj(n -> orderly.jobs().request(queue, Payload.text("m" + n))).toList());
            await().atMost(Duration.ofSeconds(60)).until(() -> orderly.jobs()
                    .list(queue.name(), JobState.DEAD, null, 2 * CROWD).size() == CROWD);
            int seconds = Math.toIntExact(Duration.ofNanos(Time.system().nanos() - began).toSeconds());
            assertThat(lines.with("failed (1 of 2)")).hasSizeBetween(1, seconds + 2);
            assertThat(lines.with("is a dead letter")).hasSizeBetween(1, seconds + 2);
        }
    }
}
