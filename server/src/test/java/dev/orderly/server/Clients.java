package dev.orderly.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;

/**
 * Many clients, each of which pushes numbered jobs one after the other as fast as the server accepts them, until it is
 * stopped. A client has a group of its own in the FIFO queue. A push without a 202 is dropped: its outcome is unknown,
 * and the client continues with the next number.
 */
final class Clients implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofSeconds(60);

    private final AtomicReference<URI> edge;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5)).build();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ConcurrentLinkedQueue<Accepted> accepted = new ConcurrentLinkedQueue<>();
    private final Set<String> unexpected = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    /** A push that was answered 202. */
    record Accepted(String job, String group, int number) {}

    Clients(URI edge, int fifo, int standard) {
        this.edge = new AtomicReference<>(edge);
        for (int i = 0; i < fifo; i++) {
            String group = "g" + i;
            threads.execute(() -> push("/fifo/" + group, group));
        }
        for (int i = 0; i < standard; i++) {
            threads.execute(() -> push("/standard", ""));
        }
    }

    /** Moves the clients to another server address. */
    void server(URI moved) {
        edge.set(moved);
    }

    List<Accepted> accepted() {
        return List.copyOf(accepted);
    }

    /** Answers that are neither 202 nor caused by a server that goes away. */
    Set<String> unexpected() {
        return Set.copyOf(unexpected);
    }

    /** Lets every client finish its push, and stops them. */
    void stop() {
        stopping = true;
        threads.shutdown();
        Awaitility.await().atMost(ANSWER.multipliedBy(6)).until(threads::isTerminated);
    }

    @Override
    public void close() {
        stopping = true;
        threads.shutdownNow();
        http.shutdownNow();
    }

    private void push(String path, String group) {
        for (int number = 1; !stopping; number++) {
            URI to = edge.get();
            try {
                HttpRequest request = HttpRequest.newBuilder(to.resolve(path)).timeout(ANSWER)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(Integer.toString(number))).build();
                HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
                if (response.statusCode() == 202) {
                    accepted.add(new Accepted(response.headers().firstValue("X-Job-Id").orElseThrow(), group, number));
                } else {
                    unexpected.add(response.statusCode() + " " + response.body());
                }
            } catch (IOException _) {
                awaitAnother(to);
            } catch (InterruptedException _) {
                return;
            }
        }
    }

    private void awaitAnother(URI gone) {
        Awaitility.await().atMost(ANSWER.multipliedBy(6)).pollInterval(Duration.ofMillis(20))
                .until(() -> stopping || !edge.get().equals(gone));
    }
}
