package dev.orderly.server.resilience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.orderly.server.OwnUser;
import dev.orderly.server.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program with few file handles, and with little heap, under more clients than it has resources for. */
@Tag("slow")
@Timeout(180)
class ScarceResourcesResilienceTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int PUSHES = 400;

    @TempDir
    private Path folder = Path.of("");
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10)).build();

    private Path config() throws IOException {
        return Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { host: 127.0.0.1, trusted-proxies: [ 127.0.0.1 ] }
                queues: { jobs: {} }
                routes: [ { post: /jobs, queue: jobs } ]
                """);
    }

    private int status(URI uri) {
        try {
            return http.send(HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).build(),
                    BodyHandlers.discarding()).statusCode();
        } catch (IOException _) {
            return 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void afterAFloodThatTakesEveryFileHandleTheEdgeIsReadyAgain() throws Exception {
        try (ServerProcess server = ServerProcess.start(config(), folder.resolve("log"), command -> Stream.concat(
                Stream.of("bash", "-c", "ulimit -n 256; exec \"$@\"", "sh"), command.stream()).toList())) {
            for (String flood : List.of("", "BAD \0\r\n\r\n", "POST /jobs HTTP/1.1\r\nHost: x\r\n"
                    + "Content-Length: 9\r\n\r\nx", "GET / HTTP/1.1\r\nHost: x\r\n\r\n")) {
                flood(server.edge(), flood);
                await().atMost(SOON).until(() -> status(server.edge().resolve("/.orderly/nothing")) == 404);
            }

            assertThat(Files.readString(folder.resolve("log"))).doesNotContain("NoClassDefFoundError");
            await().atMost(SOON).until(() -> status(server.api().resolve("/health/ready")) == 200);
            assertThat(push(server, "{}".getBytes(StandardCharsets.US_ASCII), 1)).isEqualTo(202);
        }
    }

    private static void flood(URI edge, String text) {
        List<Socket> open = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            Socket socket = new Socket();
            open.add(socket);
            try {
                socket.connect(new InetSocketAddress(edge.getHost(), edge.getPort()), 500);
                socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            } catch (IOException _) {
                // refused or not accepted in time, as expected in a flood
            }
        }
        for (Socket socket : open) {
            try {
                socket.close();
            } catch (IOException _) {
                // the connection is closed
            }
        }
    }

    @Test
    void morePushesThanTheHeapHoldsAreRefusedAndTheProcessContinues() throws Exception {
        byte[] body = ("\"" + "x".repeat(250_000) + "\"").getBytes(StandardCharsets.US_ASCII);
        try (ServerProcess server = ServerProcess.start(config(), folder.resolve("log"), command -> {
            List<String> small = new ArrayList<>(command);
            small.addAll(1, List.of("-Xmx72m", "-XX:+ExitOnOutOfMemoryError"));
            return small;
        })) {
            AtomicInteger accepted = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < PUSHES; i++) {
                    int client = i;
                    clients.execute(() -> {
                        int status = push(server, body, client);
                        (status == 202 ? accepted : refused).incrementAndGet();
                    });
                }
            }

            assertThat(server.isAlive()).isTrue();
            assertThat(accepted.get()).as("of %s", PUSHES).isPositive();
            await().atMost(SOON).until(() -> status(server.api().resolve("/health/ready")) == 200);
            await().atMost(SOON)
                    .untilAsserted(() -> assertThat(waiting(server)).isGreaterThanOrEqualTo(accepted.get()));
            assertThat(push(server, "{}".getBytes(StandardCharsets.US_ASCII), 1)).isEqualTo(202);
        }
    }

    private int push(ServerProcess server, byte[] body, int client) {
        try {
            return http.send(HttpRequest.newBuilder(server.edge().resolve("/jobs")).timeout(SOON)
                    .header("X-Forwarded-For", "192.0.2." + client % 250).header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(body)).build(), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException _) {
            return 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private int waiting(ServerProcess server) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(OwnUser.of(server.localAccess(),
                HttpRequest.newBuilder(server.api().resolve("/api/v1/queues/jobs"))).build(), BodyHandlers.ofString());
        return Integer.parseInt(answer.body().replaceAll("(?s).*\"waiting\"\\s*:\\s*(\\d+).*", "$1"));
    }
}
