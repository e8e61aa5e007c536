package dev.orderly.server.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orderly.server.ServerProcess;
import dev.orderly.testkit.server.ChildProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server whose database file is deleted and emptied. */
@Tag("slow")
class DatabaseResilienceTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void aJobInALostFileIsNotAcknowledgedAndAnEmptiedFileIsNotANewStore() throws Exception {
        Path config = Files.writeString(folder.resolve("orderly.yaml"), """
                store: sqlite:orderly.db
                edge: { host: 127.0.0.1 }
                queues: { jobs: { } }
                routes: [ { post: /jobs, queue: jobs } ]
                """);
        Path file = folder.resolve("orderly.db");
        try (ServerProcess server = ServerProcess.start(config, folder.resolve("log"));
                HttpClient http = HttpClient.newHttpClient()) {
            assertThat(push(http, server).statusCode()).isEqualTo(202);
            Files.move(file, folder.resolve("away.db"));
            assertThat(push(http, server).statusCode()).isEqualTo(503);
            assertThat(push(http, server).statusCode()).isEqualTo(503);
            Files.move(folder.resolve("away.db"), file);
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> push(http, server).statusCode() == 202);
        }
        Files.write(file, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);
        ChildProcess.Ended again = ServerProcess.run("serve", "--config", config.toString(), "--port", "0",
                "--admin-port", "0");
        assertThat(again.exitCode()).isEqualTo(1);
        assertThat(again.out().lines().filter(line -> line.startsWith("orderly: "))).singleElement().asString()
                .contains("orderly.db").contains("was cut to 0 bytes").contains("put it back");
    }

    private static HttpResponse<String> push(HttpClient http, ServerProcess server)
            throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(server.edge().resolve("/jobs")).POST(BodyPublishers.ofString("{}"))
                .build(), BodyHandlers.ofString());
    }
}
