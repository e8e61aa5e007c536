package dev.orderly.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.orderly.server.OrderlyServer;
import dev.orderly.server.ServerInTest;
import dev.orderly.server.log.RollingFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of the visitor log. */
class VisitorLogServeTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void aRenamedFileIsOpenedAnewByAReload() throws Exception {
        Path log = folder.resolve("visitors.log");
        try (HttpClient client = HttpClient.newHttpClient();
                OrderlyServer server = ServerInTest.start(Files.writeString(folder.resolve("orderly.yaml"), """
                        store: sqlite:orderly.db
                        secret-file: secret
                        edge: { host: 127.0.0.1, port: 0, warm-up: 0s, origin: "http://127.0.0.1:1" }
                        admin: { port: 0 }
                        rooms: { sale: { match: ["/tickets/**"], capacity: 1 } }
                        visitor-log: { requests: all, file: visitors.log, addresses: hashed }
                        """))) {
            get(client, server, "/tickets/one");
            await().until(() -> Files.readString(log).contains("/tickets/one"));
            Path old = Files.move(log, folder.resolve("visitors.old"));

            server.reload();
            await().until(() -> Files.exists(log));
            get(client, server, "/tickets/two");

            await().until(() -> Files.readString(log).contains("/tickets/two"));
            assertThat(Files.readString(old)).doesNotContain("/tickets/two", "127.0.0.1\",\"method");
        }
    }

    @Test
    void aFileIsRotatedByItsSizeAndTheOldestAreDeleted() throws Exception {
        Path file = folder.resolve("visitors.log");
        byte[] lines = ("x".repeat(1_023) + "\n").repeat(64).getBytes(StandardCharsets.UTF_8);
        try (RollingFile rolling = new RollingFile(file, new RollingFile.Limits(100 << 10, 7, 64 << 20))) {
            for (int i = 0; i < 20; i++) {
                rolling.write(lines);
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(path -> path.getFileName().toString()).toList())
                    .anySatisfy(name -> assertThat(name).endsWith(".gz"));
        }
        assertThat(Files.size(file)).isLessThan(20L * lines.length);
    }

    @Test
    void aFileThatCannotBeOpenedIsNamedWithTheRemedy() {
        Path nowhere = folder.resolve("orderly.db/none/visitors.log");
        assertThatThrownBy(() -> {
            Files.writeString(folder.resolve("orderly.db"), "a file");
            new RollingFile(nowhere, new RollingFile.Limits(1 << 20, 7, 64 << 20)).close();
        }).hasMessageContaining(nowhere.toString()).hasMessageContaining("visitor-log.file");
    }

    private static void get(HttpClient client, OrderlyServer server, String path) throws Exception {
        client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.edgePort() + path)).build(),
                BodyHandlers.discarding());
    }
}
