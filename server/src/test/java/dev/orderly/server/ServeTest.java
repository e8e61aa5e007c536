package dev.orderly.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code orderly serve} as a process of its own. */
class ServeTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir
    private Path folder = Path.of("");

    @Test
    void sigtermLetsARunningJobEndAndThenEndsTheProcessInOrder() throws Exception {
        try (Receiver receiver = new Receiver();
                ServerProcess server = ServerProcess.start(config(receiver.url()), folder.resolve("log"));
                HttpClient http = HttpClient.newHttpClient()) {
            var answer = http.send(HttpRequest.newBuilder(server.edge().resolve("/jobs"))
                    .POST(BodyPublishers.ofString("{}")).build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(202);
            Awaitility.await().atMost(SOON).until(() -> !receiver.deliveries().isEmpty());

            server.terminate();

            assertThat(server.join(SOON)).isZero();
            assertThat(Files.readString(folder.resolve("log"))).contains("config store: sqlite:", "Stopping", "Stopped")
                    .doesNotContain(Files.readString(folder.resolve("data/secret")).strip())
                    .doesNotContain("whsec_").doesNotContain("WARNING:");
            assertThat(folder.resolve("orderly.db-wal")).doesNotExist();
        }
    }

    @Test
    void theAddressOfTheMetricsIsPrintedWhole() throws Exception {
        Path config = Files.writeString(folder.resolve("metrics.yaml"),
                "store: sqlite:metrics.db\nmetrics: { port: 0 }\n");
        try (ServerProcess server = ServerProcess.start(config, folder.resolve("log"));
                HttpClient http = HttpClient.newHttpClient()) {
            String line = server.nextLine();
            assertThat(line).startsWith("metrics http");
            URI metrics = URI.create(line.substring(line.indexOf("http")));
            assertThat(http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.discarding())
                    .statusCode()).isEqualTo(200);
        }
    }

    @Test
    void fromSigtermOnItIsNotReadyAndServesUntilASecondOneEndsItAtOnce() throws Exception {
        try (ServerProcess server = ServerProcess.start(config("http://127.0.0.1:9/"), folder.resolve("log"),
                ServeTest::withLongDrain); HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest ready = HttpRequest.newBuilder(server.api().resolve("/health/ready")).build();
            Awaitility.await().atMost(SOON)
                    .until(() -> http.send(ready, BodyHandlers.discarding()).statusCode() == 200);

            server.terminate();

            Awaitility.await().atMost(SOON)
                    .until(() -> http.send(ready, BodyHandlers.discarding()).statusCode() == 503);
            assertThat(http.send(ready, BodyHandlers.ofString()).body()).contains("\"stopping\"");
            Awaitility.await().atMost(SOON).until(() -> http.send(HttpRequest.newBuilder(server.edge()
                    .resolve("/jobs")).POST(BodyPublishers.ofString("{}")).build(), BodyHandlers.discarding())
                    .headers().firstValue("Connection").orElse("").equals("close"));
            assertThat(status(http, server, "/jobs")).isEqualTo(405);
            assertThat(server.isAlive()).isTrue();
            server.terminate();
            assertThat(server.join(SOON)).isEqualTo(130);
        }
    }

    private static List<String> withLongDrain(List<String> command) {
        List<String> wrapped = new ArrayList<>(List.of("env", "ORDERLY_EDGE_DRAIN=10m"));
        wrapped.addAll(command);
        return wrapped;
    }

    @Test
    void sighupTakesOverAChangedFileAndAFaultyOneChangesNothing() throws Exception {
        Path file = config("http://127.0.0.1:9/");
        String before = Files.readString(file);
        // the build may have been started under nohup, which children inherit
        try (ServerProcess server = ServerProcess.start(file, folder.resolve("log"), ServeTest::withHangup);
                HttpClient http = HttpClient.newHttpClient()) {
            Files.writeString(file, before + "rooms: { sale: { match: [\"/tickets/**\"] } }\n");
            server.hangUp();
            Awaitility.await().atMost(SOON).until(() -> log().contains("nothing was changed"));
            assertThat(log()).contains("rooms.sale");

            Files.writeString(file, before.replace("post: /jobs", "post: /other"));
            server.hangUp();
            Awaitility.await().atMost(SOON).until(() -> log().contains("changed: routes"));
            assertThat(status(http, server, "/jobs")).isEqualTo(404);
            assertThat(status(http, server, "/other")).isEqualTo(405);
        }
    }

    private static List<String> withHangup(List<String> command) {
        List<String> wrapped = new ArrayList<>(List.of("env", "--default-signal=HUP"));
        wrapped.addAll(command);
        return wrapped;
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    @Test
    void aSiteGetsAWaitingRoomWithoutAConfigurationFile() throws Exception {
        HttpServer site = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        site.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        site.start();
        try (ServerProcess server = ServerProcess.startIn(folder, folder.resolve("log"), "--origin",
                "http://127.0.0.1:" + site.getAddress().getPort(), "--capacity", "1", "--match",
                "/tickets/**,/seats/**");
                HttpClient http = HttpClient.newHttpClient()) {
            assertThat(status(http, server, "/")).isEqualTo(200);
            assertThat(status(http, server, "/tickets/")).isEqualTo(200);
            assertThat(status(http, server, "/tickets/")).isEqualTo(503);
            assertThat(status(http, server, "/seats/1")).isEqualTo(503);
            server.terminate();
            assertThat(server.join(SOON)).isZero();
            // A machine that is too busy to count a backlog in time is warned of too.
            assertThat(log().lines().filter(line -> line.contains("WARN") && !line.contains("CachedSignal")))
                    .as("warnings that the server provokes itself").isEmpty();
        } finally {
            site.stop(0);
        }
        assertThat(folder.resolve("data/orderly.db")).exists();
    }

    private static int status(HttpClient http, ServerProcess server, String path) throws Exception {
        return http.send(HttpRequest.newBuilder(server.edge().resolve(path)).build(), BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    void aSecondServerOnTheSameFileFailsWithOneLine() throws Exception {
        try (ServerProcess _ = ServerProcess.start(config("http://127.0.0.1:9/"), folder.resolve("log"))) {
            failsWithOneLine("Another Orderly process");
        }
    }

    @Test
    void aTakenPortFailsWithOneLineAndLeavesNothingOpen() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[]{127, 0, 0, 1}))) {
            config("http://127.0.0.1:9/");
            failsWithOneLine(Integer.toString(taken.getLocalPort()), "--port", Integer.toString(taken.getLocalPort()));
        }
        ServerProcess.start(folder.resolve("orderly.yaml"), folder.resolve("log")).close();
    }

    private void failsWithOneLine(String saying, String... options) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("serve", "--config", folder.resolve("orderly.yaml").toString(), "--admin-port", "0"));
        command.addAll(options.length == 0 ? List.of("--port", "0") : List.of(options));
        ChildProcess.Ended ended = ServerProcess.run(command.toArray(String[]::new));
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(ended.out().lines().filter(line -> line.startsWith("orderly: "))).singleElement().asString()
                .contains(saying);
        assertThat(ended.out()).doesNotContain("\tat ").doesNotContain("Exception");
    }

    private Path config(String worker) throws IOException {
        return Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { host: 127.0.0.1 }
                queues: { jobs: { handler: "%s" } }
                routes: [ { post: /jobs, queue: jobs } ]
                """.formatted(worker));
    }
}
